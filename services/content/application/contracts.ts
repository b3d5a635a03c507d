import { DomainError } from '#libs/core/domain-error.js'
import {
  type Contract,
  checkContractMatch,
  checkRules,
  contractNotFound,
  contractQuota,
} from '../domain/contract.js'
import type { OwnerId, SnippetId } from '../domain/ids.js'
import type { Principal } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import { diskFull, preconditionFailed } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import type { Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'

type Ports = Pick<ContentPorts, 'snippets' | 'contracts'>

/** Why a snippet has no contract: perhaps there is no such snippet. */
async function missing({ snippets }: Ports, key: SnippetKey): Promise<Error> {
  const [etag] = await snippets.findEtags([key])
  return etag == null ? notFoundOrNotOwner({ snippets }, key.id) : contractNotFound()
}

/**
 * The contract of an owner's snippet.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function getContract(ports: Ports, key: SnippetKey): Promise<Contract> {
  const contract = await ports.contracts.find(key)
  if (contract === null) throw await missing(ports, key)
  return contract
}

interface PutContract extends Requester {
  readonly id: SnippetId
  readonly rules: string
  readonly principal: Principal | null
  /** ETags, one of which must be current; empty for no condition. */
  readonly ifMatch: readonly string[]
  /** If true, there must be none yet. */
  readonly ifNoneMatch: boolean
}

/**
 * Creates or replaces the contract of a snippet.
 * @throws DomainError `contract_too_large`, `contract_limit_reached`, `not_found`, `not_owner`, `precondition_failed`,
 *   `unavailable`.
 */
export async function putContract(
  ports: Ports & Pick<ContentPorts, 'diskIsFull'>,
  { ownerId, plan, limits, id, rules, principal, ifMatch, ifNoneMatch }: PutContract,
): Promise<{ readonly contract: Contract; readonly created: boolean }> {
  checkRules(rules)
  if (ports.diskIsFull()) throw diskFull()
  const check = (contract: Contract | null): void => {
    checkContractMatch(contract, ifMatch)
    if (ifNoneMatch && contract !== null) throw preconditionFailed()
  }
  const quota = contractQuota(plan, limits)
  const put = await ports.contracts.put({ ownerId, id }, { rules, principal }, check, quota)
  if (put === null) throw await notFoundOrNotOwner(ports, id)
  return put
}

/**
 * Gives a snippet of an archive its contract, unless it has one; returns whether it had.
 * @throws DomainError like `putContract`.
 */
export async function importContract(
  ports: Ports & Pick<ContentPorts, 'diskIsFull'>,
  request: Omit<PutContract, 'ifMatch' | 'ifNoneMatch'>,
): Promise<boolean> {
  try {
    await putContract(ports, { ...request, ifMatch: [], ifNoneMatch: true })
    return false
  } catch (error) {
    if (error instanceof DomainError && error.code === 'precondition_failed') return true
    throw error
  }
}

/**
 * Deletes the contract of a snippet.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`.
 */
export async function deleteContract(
  ports: Ports,
  key: SnippetKey,
  ifMatch: readonly string[],
): Promise<void> {
  const removed = await ports.contracts.remove(key, (contract) => checkContractMatch(contract, ifMatch))
  if (!removed) throw await missing(ports, key)
}

/** A page of an owner's contracts without rules, and the snippet to continue after; `null` at the end. */
export async function listContracts(
  { contracts }: Pick<ContentPorts, 'contracts'>,
  ownerId: OwnerId,
  after: SnippetId | null,
  itemsMax: number,
): Promise<{ readonly items: readonly Contract[]; readonly next: SnippetId | null }> {
  const found = await contracts.list(ownerId, after, itemsMax + 1)
  const items = found.slice(0, itemsMax)
  return { items, next: found.length > itemsMax ? (items.at(-1)?.snippetId ?? null) : null }
}

import { DomainError } from '#libs/core/domain-error.js'
import { contractLimitReached, contractTooLarge, rulesBytesMax } from '#shared/core/contract-limits.js'
import type { PlanLimits, PlanName } from '#shared/core/plan.js'
import type { OwnerId, SnippetId } from './ids.js'
import type { Principal, Snippet, SnippetChange } from './snippet.js'
import { hasSameBytes, preconditionFailed } from './stored-data.js'

/** What the owner of a snippet promises about its next versions. */
export interface Contract {
  readonly ownerId: OwnerId
  readonly snippetId: SnippetId
  /** The JSON object of the rules, as it was sent; empty in lists. */
  readonly rules: string
  /** Starts at 1; each change has the next, also the first after a removal. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Who changed it last; `null` if unknown. */
  readonly principal: Principal | null
}

/** A contract to store. */
export interface ContractDraft {
  readonly rules: string
  readonly principal: Principal | null
}

/**
 * Checks the size of rules.
 * @throws DomainError `contract_too_large`.
 */
export function checkRules(rules: string): void {
  if (Buffer.byteLength(rules) > rulesBytesMax) throw contractTooLarge()
}

/** The ETag of a contract: it differs for every change, including when a restored backup was changed in another way. */
export function contractEtag({ snippetId, version, updatedAt }: Contract): string {
  return `${snippetId}.${version}.${updatedAt.getTime()}`
}

/**
 * Checks the expected ETags: one must be current; `*` is if there is a contract, and none means no condition.
 * @throws DomainError `precondition_failed`.
 */
export function checkContractMatch(contract: Contract | null, ifMatch: readonly string[]): void {
  if (ifMatch.length === 0) return
  if (contract === null || !(ifMatch.includes('*') || ifMatch.includes(contractEtag(contract))))
    throw preconditionFailed()
}

/** 404: the snippet has no contract. */
export function contractNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This snippet has no contract.')
}

/** How many contracts an owner may have, and the error beyond it. */
export interface ContractQuota {
  /** `null` for no limit. */
  readonly contractsMax: number | null
  readonly refuse: () => DomainError
}

/** The contracts that a plan allows. */
export function contractQuota(plan: PlanName, { contracts }: Pick<PlanLimits, 'contracts'>): ContractQuota {
  return { contractsMax: contracts, refuse: () => contractLimitReached(plan, contracts ?? 0) }
}

/** Whether a change is one that a contract protects from: other bytes, or another name or none. */
export function needsApproval(snippet: Snippet, { name, data }: SnippetChange): boolean {
  if (data !== undefined && !hasSameBytes(snippet.digest, data.digest)) return true
  return name !== undefined && snippet.name !== null && name !== snippet.name
}

/** 403: only a check, or who may approve one, changes what a contract protects. */
export function approvalRequired(): DomainError {
  const message =
    'This snippet has a contract. Send the new data as a check, or use credentials that may approve.'
  return new DomainError('forbidden', 'approval_required', message)
}

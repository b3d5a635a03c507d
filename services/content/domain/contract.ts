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

/**
 * The snippet that holds the schema of rules, as they name it: `@` and a name, or an id. `null` if they name none.
 * @throws DomainError `validation_failed` if the rules are not JSON.
 */
export function schemaOf(rules: string): string | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(rules.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const detail = 'rules must be JSON.'
    const errors = [{ pointer: '/rules', code: 'invalid', detail }]
    throw new DomainError('invalid', 'validation_failed', detail, { errors }, { cause })
  }
  const schema = parsed instanceof Object && 'schema' in parsed ? parsed.schema : null
  if (!(schema instanceof Object) || !('snippet' in schema) || Object.keys(schema).length > 1) return null
  return typeof schema.snippet === 'string' ? schema.snippet : null
}

/** How contracts may name a snippet: by its id, or by its name. */
export function referencesOf({ id, name }: Pick<Snippet, 'id' | 'name'>): readonly string[] {
  return name === null ? [id] : [id, `@${name}`]
}

/**
 * The references by which a contract may protect from a change: those of the snippet if it gets other bytes, another name
 * or none, and that of its new name. Nothing else is protected.
 */
export function protectedBy(
  snippet: Snippet,
  { name = snippet.name, data }: SnippetChange,
): readonly string[] {
  const isRenamed = name !== snippet.name
  const isOther = data !== undefined && !hasSameBytes(snippet.digest, data.digest)
  const before = isOther || (isRenamed && snippet.name !== null) ? referencesOf(snippet) : []
  return isRenamed && name !== null ? [...before, `@${name}`] : before
}

function needsApproval(why: string): DomainError {
  const message = `${why} Send the new data as a check, or use credentials that may approve.`
  return new DomainError('forbidden', 'approval_required', message)
}

/** 403: only a check, or who may approve one, changes what a contract protects. */
export function approvalRequired(): DomainError {
  return needsApproval('This snippet has a contract.')
}

/** 403: whoever changes the schema of a contract decides what it allows. */
export function schemaApprovalRequired(): DomainError {
  return needsApproval('A contract uses this snippet as its schema.')
}

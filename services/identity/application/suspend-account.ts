import type { Announced } from '#libs/core/announced.js'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { type AccountId, type AccountRecord, accountNotFound } from '../domain/account.js'
import type { OperatorPorts } from '../ports.js'

/** An account after an operator's decision, and the outcome of the notification. */
export interface Decision {
  readonly record: AccountRecord
  readonly announced: Announced
}

/**
 * Suspends an account: all its credentials are rejected from now on, including new ones. A suspended one keeps its
 * time of suspension and gets the new reason.
 * @throws DomainError `not_found`.
 */
export async function suspendAccount(
  { accounts, callers }: OperatorPorts,
  id: AccountId,
  decision: OperatorDecision,
): Promise<Decision> {
  const record = await accounts.suspend(id, decision)
  if (record === null) throw accountNotFound()
  return { record, announced: await callers.announce(id) }
}

/** @throws DomainError `not_found`. */
export async function resumeAccount(
  { accounts, callers }: OperatorPorts,
  id: AccountId,
  decision: OperatorDecision,
): Promise<Decision> {
  const record = await accounts.resume(id, decision)
  if (record === null) throw accountNotFound()
  return { record, announced: await callers.announce(id) }
}

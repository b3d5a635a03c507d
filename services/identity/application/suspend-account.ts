import type { Announced } from '#libs/core/announced.js'
import { type AccountId, accountNotFound } from '../domain/account.js'
import type { AccountRecord, OperatorPorts } from '../ports.js'

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
  reason: string | null,
): Promise<Decision> {
  const record = await accounts.suspend(id, reason)
  if (record === null) throw accountNotFound()
  return { record, announced: await callers.announce(id) }
}

/** @throws DomainError `not_found`. */
export async function resumeAccount({ accounts, callers }: OperatorPorts, id: AccountId): Promise<Decision> {
  const record = await accounts.resume(id)
  if (record === null) throw accountNotFound()
  return { record, announced: await callers.announce(id) }
}

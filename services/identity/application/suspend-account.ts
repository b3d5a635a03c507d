import type { Announced } from '#libs/core/announced.js'
import { type AccountId, accountNotFound } from '../domain/account.js'
import type { AccountRecord, OperatorPorts } from '../ports.js'

/** An account after an operator's decision, and how far it was announced. */
export interface Decision {
  readonly record: AccountRecord
  readonly announced: Announced
}

/**
 * Has every credential of an account refused from now on, new ones too. One that is suspended already stays so from when
 * it was, and is given the new reason.
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

/**
 * Lets an account be used again.
 * @throws DomainError `not_found`.
 */
export async function resumeAccount({ accounts, callers }: OperatorPorts, id: AccountId): Promise<Decision> {
  const record = await accounts.resume(id)
  if (record === null) throw accountNotFound()
  return { record, announced: await callers.announce(id) }
}

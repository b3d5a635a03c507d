import { isUnavailability } from '#libs/core/domain-error.js'
import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { createKeyedQueue, type KeyedQueue } from '#libs/runtime/keyed-queue.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountNotFound } from '../domain/account.js'
import type { ApiKey } from '../domain/api-key.js'
import type { AddedKey, SealingRequest } from '../ports.js'
import { findResponse, storeResponse } from './postgres-responses.js'

/**
 * A queue for each row that work locks, such as an account's: it waits here, without holding sessions that others could
 * use.
 */
export function rowQueue(): KeyedQueue {
  return createKeyedQueue(isUnavailability)
}

const lock = statement('api-key-lock-account')(`
  SELECT account.plan FROM account WHERE account.id = $1 FOR NO KEY UPDATE`)

/**
 * Locks the account against other issues; returns its plan.
 * @throws DomainError `not_found` if there is no such account.
 */
export async function lockAccount(tx: Session, account: string): Promise<PlanName> {
  const row = await firstRow<{ plan: PlanName }>(tx, lock(account))
  if (row === undefined) throw accountNotFound()
  return row.plan
}

/** Issues what was requested, and keeps the response; a repeated request gets the first response. */
export async function issueOnce(
  tx: Session,
  account: string,
  request: SealingRequest | null,
  issue: () => Promise<ApiKey>,
): Promise<AddedKey> {
  const response = request === null ? null : await findResponse(tx, account, request.key)
  if (response !== null) return { state: 'replayed', response }
  const apiKey = await issue()
  if (request !== null) await storeResponse(tx, account, request.key, request.seal(apiKey))
  return { state: 'added', apiKey }
}

import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/account.js'
import type { ApiKey } from '../domain/api-key.js'
import type { AddedKey, SealingRequest } from '../ports.js'
import type { MemoryState } from './memory-state.js'

/** Whether a record of this time has reached its retention period. */
export function isOld({ now }: MemoryState, at: Date): boolean {
  return now().getTime() - at.getTime() > idempotencyKeyLifeMs
}

/** Issues what was requested, and keeps the response; a repeated request gets the first response. */
export function issueOnce(
  state: MemoryState,
  accountId: AccountId,
  request: SealingRequest | null,
  issue: () => ApiKey,
): AddedKey {
  const { responses, now } = state
  const responseKey = JSON.stringify([accountId, request?.key.digest])
  const response = responses.get(responseKey)
  if (request !== null && response !== undefined && !isOld(state, response.createdAt))
    return { state: 'replayed', response }
  const apiKey = issue()
  if (request !== null) responses.set(responseKey, { ...request.seal(apiKey), createdAt: now() })
  return { state: 'added', apiKey }
}

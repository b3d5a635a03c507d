import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/account.js'
import type { Issued, SealingRequest } from '../ports.js'
import type { MemoryState } from './memory-state.js'

/** Whether a record of this time has reached its retention period. */
export function isOld({ now }: MemoryState, at: Date): boolean {
  return now().getTime() - at.getTime() > idempotencyKeyLifeMs
}

/** Issues what was requested, and keeps the response; a repeated request gets the first response. */
export function issueOnce<Added>(
  state: MemoryState,
  accountId: AccountId,
  request: SealingRequest<Added> | null,
  issue: () => Added,
): Issued<Added> {
  const { responses, now } = state
  const responseKey = JSON.stringify([accountId, request?.digest])
  const response = responses.get(responseKey)
  if (request !== null && response !== undefined && !isOld(state, response.createdAt))
    return { state: 'replayed', response }
  const added = issue()
  if (request !== null) responses.set(responseKey, { ...request.seal(added), createdAt: now() })
  return { state: 'added', added }
}

import { checkIdempotencyKey, isIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { RequestContext } from './request-context.js'

/** The header as it was given; `undefined` when there is none. Node joins those that come several times. */
function given({ request }: RequestContext): string | undefined {
  const key = request.headers['idempotency-key']
  return key === undefined ? undefined : String(key)
}

/** Whether a request may be the repetition of one that was answered. */
export function mayBeRepeated(context: RequestContext): boolean {
  const key = given(context)
  return key !== undefined && isIdempotencyKey(key)
}

/**
 * The `Idempotency-Key` of a request: 1 to 255 printable ASCII characters; empty when there is none.
 * @throws DomainError `validation_failed` for anything else.
 */
export function readIdempotencyKey(context: RequestContext): string {
  const key = given(context)
  if (key === undefined) return ''
  checkIdempotencyKey(key)
  return key
}

/** The headers by which an answer says that it was given before. */
export function replayedHeader(replayed: boolean): Readonly<Record<string, string>> {
  return replayed ? { 'Idempotent-Replayed': 'true' } : {}
}

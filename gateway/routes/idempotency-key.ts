import { checkIdempotencyKey } from '#libs/core/idempotency-key.js'
import type { Exchange } from '../exchange.js'

/**
 * The `Idempotency-Key` of a request: 1 to 255 printable ASCII characters; empty when there is none.
 * @throws DomainError `validation_failed` for anything else.
 */
export function readIdempotencyKey(exchange: Exchange): string {
  const given = exchange.request.headers['idempotency-key']
  if (given === undefined) return ''
  // Node joins those that come several times.
  const key = String(given)
  checkIdempotencyKey(key)
  return key
}

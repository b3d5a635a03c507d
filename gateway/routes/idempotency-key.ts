import { validationFailed } from '#libs/core/domain-error.js'
import type { Exchange } from '../exchange.js'

/**
 * The `Idempotency-Key` of a request: 1 to 255 printable ASCII characters; empty when there is none.
 * @throws DomainError `validation_failed` for anything else.
 */
export function readIdempotencyKey(exchange: Exchange): string {
  const given = exchange.request.headers['idempotency-key']
  if (given === undefined) return ''
  if (typeof given === 'string' && /^[\x20-\x7e]{1,255}$/.test(given)) return given
  throw validationFailed([
    {
      pointer: 'Idempotency-Key',
      code: 'invalid_format',
      detail: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    },
  ])
}

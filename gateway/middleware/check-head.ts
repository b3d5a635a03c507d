import type { IncomingMessage } from 'node:http'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'

/** The most headers of one request; their bytes are bounded by the server. */
const headersMax = 200

/**
 * Refuses what the parser lets through and RFC 9112 or good sense does not.
 * @throws DomainError `headers_too_large` for too many headers; `validation_failed` for another version of HTTP, and
 * for HTTP/1.1 without a Host.
 */
export function checkHead({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * headersMax) {
    throw new DomainError('invalid', 'headers_too_large', `The request has more than ${headersMax} headers.`)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw validationFailed([
      { pointer: '', code: 'invalid_http', detail: 'The request is not valid HTTP/1.1.' },
    ])
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw validationFailed([{ pointer: 'Host', code: 'required', detail: 'Host is required.' }])
  }
}

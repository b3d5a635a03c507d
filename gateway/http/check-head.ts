import type { IncomingMessage } from 'node:http'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'

/** The most headers of one request; their bytes are bounded by the server. */
const headersMax = 200

/** What is wrong with a head, or `null`. */
export function headFault({ headers, httpVersion, rawHeaders }: IncomingMessage): DomainError | null {
  if (rawHeaders.length > 2 * headersMax) {
    return new DomainError('invalid', 'headers_too_large', `The request has more than ${headersMax} headers.`)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return validationFailed([
      { pointer: '', code: 'invalid_http', detail: 'The request is not valid HTTP/1.1.' },
    ])
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    return validationFailed([{ pointer: 'Host', code: 'required', detail: 'Host is required.' }])
  }
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new DomainError(
      'invalid',
      'expectation_failed',
      'The only expectation that is met is 100-continue.',
    )
  }
  return null
}

/**
 * Refuses what the parser lets through and RFC 9112 or good sense does not.
 * @throws DomainError `headers_too_large` for too many headers; `validation_failed` for another version of HTTP, and
 * for HTTP/1.1 without a Host; `expectation_failed` for an expectation that nobody here meets.
 */
export function checkHead(request: IncomingMessage): void {
  const fault = headFault(request)
  if (fault !== null) throw fault
}

import type { IncomingMessage } from 'node:http'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'

/** The most headers of one request; their bytes are bounded by the server. */
const headersMax = 200

/** What is wrong with a head, or `null`. */
export function headFault({ headers, httpVersion, rawHeaders }: IncomingMessage): DomainError | null {
  if (rawHeaders.length > 2 * headersMax) {
    return new DomainError(
      'invalid',
      'headers_too_large',
      `The request has too many headers; the limit is ${headersMax}.`,
    )
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return validationFailed([{ pointer: '', code: 'invalid_http', detail: 'Invalid HTTP/1.1 request.' }])
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    return validationFailed([{ pointer: 'Host', code: 'required', detail: 'The Host header is required.' }])
  }
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new DomainError(
      'invalid',
      'expectation_failed',
      'Unsupported expectation. Only Expect: 100-continue is supported.',
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

import { type ServerResponse, STATUS_CODES } from 'node:http'
import { DomainError, type ErrorKind, validationFailed } from '#libs/core/domain-error.js'

/** The only mapping from error kinds to HTTP statuses. */
const statusOfKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  unavailable: 503,
  timeout: 504,
}

/** Codes with a more specific status than that of their kind. */
const statusOfCode: Readonly<Record<string, number>> = {
  request_timeout: 408,
  uri_too_long: 414,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  headers_too_large: 431,
  not_implemented: 501,
}

/** An error response (RFC 9457). */
export interface Problem {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What clients should do about some codes of 401 (RFC 6750 §3.1, RFC 9470 §3). */
const challenges: Readonly<Record<string, string>> = {
  invalid_token: 'Bearer error="invalid_token"',
  login_too_old: 'Bearer error="insufficient_user_authentication", max_age=600',
}

/** Details that are sent as headers instead. */
const headerOfDetail: Readonly<Record<string, string>> = {
  accept: 'Accept',
  accept_encoding: 'Accept-Encoding',
  accept_patch: 'Accept-Patch',
  allow: 'Allow',
  content_range: 'Content-Range',
  retry_after: 'Retry-After',
}

function headersOf(error: DomainError, status: number): Record<string, string> {
  const headers: Record<string, string> = {
    // OAuth clients accept no other type (RFC 6749 §5.2).
    'Content-Type': error.details.error === undefined ? 'application/problem+json' : 'application/json',
    'Cache-Control': 'no-store',
  }
  if (status === 401) headers['WWW-Authenticate'] = challenges[error.code] ?? 'Bearer'
  for (const [detail, name] of Object.entries(headerOfDetail))
    if (error.details[detail] !== undefined) headers[name] = String(error.details[detail])
  return headers
}

/** Anything but a `DomainError` becomes 500 `internal` without details. */
export function toProblem(error: unknown, requestId: string): Problem {
  const known =
    error instanceof DomainError
      ? error
      : new DomainError(
          'unavailable',
          'internal',
          'Internal error. If it persists, report it with the request ID.',
        )
  const status = error instanceof DomainError ? (statusOfCode[known.code] ?? statusOfKind[known.kind]) : 500
  const details = Object.entries(known.details).filter(([name]) => !Object.hasOwn(headerOfDetail, name))
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    code: known.code,
    detail: known.message,
    request_id: requestId,
    ...Object.fromEntries(details),
  }
  return {
    status,
    code: known.code,
    headers: headersOf(known, status),
    body: JSON.stringify(body),
  }
}

/** Sends a problem, or closes the connection within a response; one that is complete stays so. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  for (const name of ['ETag', 'Content-Disposition', 'Content-Length', 'Last-Modified', 'Link'])
    response.removeHeader(name)
  response.writeHead(problem.status, {
    ...problem.headers,
    'Content-Length': Buffer.byteLength(problem.body),
  })
  // Node sends a string together with the headers, but bytes in a second write.
  response.end(problem.body)
}

/** 400 `validation_failed`: the URL is invalid. */
export function badAddress(detail: string): DomainError {
  return validationFailed([{ pointer: 'path', code: 'invalid', detail }])
}

/** 404 `not_found`. */
export function notFound(what: string): DomainError {
  return new DomainError('not-found', 'not_found', `${what} does not exist.`)
}

/** 404 `not_found` for billing routes on an installation without billing. */
export function nothingForSale(): DomainError {
  const message = 'Billing is turned off on this installation; every account has Pro.'
  return new DomainError('not-found', 'not_found', message)
}

/** 405 `method_not_allowed` with the allowed methods. */
export function methodNotAllowed(allowed: readonly string[]): DomainError {
  const allow = allowed.join(', ')
  return new DomainError('method-not-allowed', 'method_not_allowed', `Method not allowed. Use ${allow}.`, {
    allow,
  })
}

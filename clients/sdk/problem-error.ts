import type { Problem } from './generated/types.js'

/** The documented values of `code`. A newer server may send others. */
export const problemCodes = [
  'account_closing',
  'account_erased',
  'account_suspended',
  'already_subscribed',
  'ambiguous_credentials',
  'api_key_expired',
  'api_key_limit_reached',
  'approval_required',
  'archive_incomplete',
  'archive_invalid',
  'archive_too_large',
  'baseline_changed',
  'check_decided',
  'compare_too_large',
  'contract_limit_reached',
  'contract_too_large',
  'data_too_large',
  'expectation_failed',
  'headers_too_large',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'identity_token_required',
  'insufficient_scope',
  'internal',
  'invalid_api_key',
  'invalid_cursor',
  'invalid_grant',
  'invalid_input',
  'invalid_request',
  'invalid_scope',
  'invalid_signature',
  'invalid_target',
  'invalid_token',
  'login_too_old',
  'malformed_json',
  'malformed_text',
  'method_not_allowed',
  'missing_credentials',
  'name_taken',
  'not_found',
  'not_implemented',
  'not_owner',
  'origin_not_allowed',
  'own_account',
  'precondition_failed',
  'pro_required',
  'range_not_satisfiable',
  'rate_limited',
  'request_timeout',
  'reveal_required',
  'rotation_in_progress',
  'secret_found',
  'share_data_deleted',
  'share_disabled',
  'share_expired',
  'share_limit_reached',
  'share_not_gated',
  'share_password_invalid',
  'share_used_up',
  'snippet_limit_reached',
  'storage_limit_reached',
  'timeout',
  'tool_too_large',
  'trusted_publisher_limit_reached',
  'unavailable',
  'unknown_field',
  'unknown_parameter',
  'unsupported_grant_type',
  'unsupported_media_type',
  'uri_too_long',
  'validation_failed',
] as const

/** A `code` of the API. */
export type ProblemCode = (typeof problemCodes)[number]

/** One error in a request. */
export interface FieldError {
  /** Where: a JSON Pointer into the body, or the name of a parameter or header. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** An error from the server, the network or a timeout. */
export class SnipkeepError extends Error {
  override readonly name: string = 'SnipkeepError'
}

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends SnipkeepError {
  override readonly name = 'ConnectionError'
}

/** The server redirects, which is never followed: the credentials are for this server alone. */
export class RedirectError extends ConnectionError {}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Refuses a redirect that came as a response; browsers hide its status.
 * @throws RedirectError
 */
export async function refuseRedirect(response: Response, server: string): Promise<void> {
  if (response.type !== 'opaqueredirect' && !redirects.has(response.status)) return
  await response.body?.cancel()
  throw new RedirectError(`${server} redirects to another address. Use that one instead.`)
}

/** Nothing was sent or received for `timeoutMs`. */
export class SilenceTimeoutError extends SnipkeepError {
  override readonly name = 'SilenceTimeoutError'
}

/** The response is not what Snipkeep sends. */
export class UnexpectedResponseError extends SnipkeepError {}

/** An error response of the server (RFC 9457). */
export class ProblemError extends SnipkeepError {
  override readonly name: string = 'ProblemError'
  readonly status: number
  /** Stable; `unknown` if the response came from a proxy rather than from Snipkeep. */
  readonly code: ProblemCode | 'unknown' | (string & {})
  /** A sentence for people, in English. */
  readonly detail: string
  readonly errors: readonly FieldError[]
  /** Quote it when you report a problem. */
  readonly requestId: string | null
  /** Seconds to wait before a retry, if the server says so. */
  readonly retryAfter: number | null
  /** The allowed and the requested amount, if a limit was reached. */
  readonly limit: number | null
  readonly actual: number | null
  /** The problem as the server sent it. */
  readonly problem: Problem | null

  /** The raw body of the response. */
  readonly body: string

  constructor(response: Response, problem: Problem | null, body = '') {
    const detail = problem?.detail ?? `The server returned ${response.status}.`
    super(detail)
    this.status = response.status
    this.code = problem?.code ?? 'unknown'
    this.detail = detail
    this.errors = problem?.errors ?? []
    this.requestId = problem?.request_id ?? response.headers.get('X-Request-Id')
    this.retryAfter = secondsIn(response.headers.get('Retry-After'))
    this.limit = numberIn(problem, 'limit')
    this.actual = numberIn(problem, 'actual')
    this.problem = problem
    this.body = body
  }
}

/** 400: the request is invalid; `errors` says where. */
export class BadRequestError extends ProblemError {
  override readonly name = 'BadRequestError'
}
/** 401: missing or invalid credentials. */
export class AuthenticationError extends ProblemError {
  override readonly name = 'AuthenticationError'
}
/** 403: not allowed, or a plan limit. */
export class PermissionError extends ProblemError {
  override readonly name = 'PermissionError'
}
/** 404: it doesn't exist. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError'
}
/** 409: it conflicts with the current state. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError'
}
/** 410: the share has expired, its views are used up, or the operator has disabled it. */
export class GoneError extends ProblemError {
  override readonly name = 'GoneError'
}
/** 412: it has changed since you read it. */
export class PreconditionFailedError extends ProblemError {
  override readonly name = 'PreconditionFailedError'
}
/** 413: more data than the plan allows. */
export class TooLargeError extends ProblemError {
  override readonly name = 'TooLargeError'
}
/** 429, after all retries. */
export class RateLimitError extends ProblemError {
  override readonly name = 'RateLimitError'
}
/** 5xx, after all retries. */
export class ServerError extends ProblemError {
  override readonly name = 'ServerError'
}

const classes: Readonly<
  Record<number, new (response: Response, problem: Problem | null, body: string) => ProblemError>
> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: TooLargeError,
  429: RateLimitError,
}

function secondsIn(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null
}

function numberIn(problem: Problem | null, key: string): number | null {
  const value = problem?.[key]
  return typeof value === 'number' ? value : null
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, detail } = value as Record<string, unknown>
  return typeof code === 'string' && typeof detail === 'string'
}

/** Reads an error response. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const text = await response.text().catch(() => '')
  const body: unknown = jsonIn(text)
  const problem = isProblem(body) ? body : null
  const Problem = classes[response.status] ?? (response.status >= 500 ? ServerError : ProblemError)
  return new Problem(response, problem, text)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether an error is a `ProblemError` with this code. */
export function isCode<Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is ProblemError & { readonly code: Code } {
  return error instanceof ProblemError && error.code === code
}

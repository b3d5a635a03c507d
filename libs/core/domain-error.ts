/** What a caller can do about a failure; `libs/grpc/status.ts` and `gateway/http/problem.ts` give each its status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'gone'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout'

/** One thing that is wrong with a request; `pointer` is a JSON Pointer (RFC 6901) into its body, or names a parameter. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** Facts that callers may see beside the message, by the names that they have in a problem (`limit`, `expired_at`, …). */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly FieldError[]>>

/**
 * An expected failure. `code` is stable and one of the interface's, `message` is a full sentence for a person; all but
 * `cause` may be shown to the caller.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly details: ErrorDetails

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    details: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.name = 'DomainError'
    this.kind = kind
    this.code = code
    this.details = details
  }
}

/** 400 `validation_failed` that lists every problem at once. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const message =
    errors.length === 1 && errors[0] !== undefined
      ? errors[0].detail
      : `The request has ${errors.length} errors; see the errors list.`
  return new DomainError('invalid', 'validation_failed', message, { errors })
}

/** 403: it is somebody else's. */
export function notOwner(): DomainError {
  return new DomainError('forbidden', 'not_owner', 'This belongs to another account.')
}

/** 503: something that the request needs cannot be reached now; trying again later may help. */
export function unavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('unavailable', 'unavailable', message, { retry_after: 1 }, { cause })
}

/** Whether a failure is none of the caller's: something that the work needs does not respond. */
export function isUnavailability(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable'
}

/** Whether a failure is that credentials are missing or not believed. */
export function isCredentialRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'unauthenticated'
}

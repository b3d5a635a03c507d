/**
 * What a caller can do about a failure; `libs/grpc/status.ts` and `gateway/request/problem.ts` map each kind to a
 * status.
 */
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

/** One problem of a request; `pointer` is a JSON Pointer (RFC 6901) into its body, or the name of a parameter. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** Facts that callers may see besides the message, named as in a problem (`limit`, `expired_at`, …). */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly FieldError[]>>

/**
 * An expected failure. `code` is stable and part of the interface, `message` is a full sentence for a person;
 * everything except `cause` may be shown to the caller.
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

/** The same for a single problem. */
export function invalidField(pointer: string, code: string, detail: string): DomainError {
  return validationFailed([{ pointer, code, detail }])
}

/**
 * Reads an enum of a message by the names of its values.
 * @throws DomainError `validation_failed` for a value without a name.
 */
export function enumName<Name>(
  names: Readonly<Partial<Record<number, Name>>>,
  ...problem: Parameters<typeof invalidField>
): (value: number) => Name {
  return (value) => {
    const name = names[value]
    if (name === undefined) throw invalidField(...problem)
    return name
  }
}

/** 403: it belongs to another account. */
export function notOwner(): DomainError {
  return new DomainError('forbidden', 'not_owner', 'This belongs to another account.')
}

/** 503: a dependency of the request is unavailable now; retrying later may help. */
export function unavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('unavailable', 'unavailable', message, { retry_after: 1 }, { cause })
}

/** Whether a failure is not the caller's fault: a dependency is unavailable. */
export function isUnavailability(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable'
}

/** Whether a failure says that a dependency is down: it is unavailable, or did not respond in time. */
export function isDown(error: unknown): boolean {
  return isUnavailability(error) || (error instanceof DomainError && error.kind === 'timeout')
}

/** Whether a failure is about missing or invalid credentials. */
export function isCredentialRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'unauthenticated'
}

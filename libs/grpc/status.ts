import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { DomainError, type ErrorDetails, type ErrorKind, unavailable } from '../core/domain-error.js'

/**
 * The messages of grpc-js for a stream that was reset, broke during a write, or could not be started. Nothing else
 * distinguishes it: its status is that of an ordinary response. `reset-stream.test.ts` fails if an upgrade changes
 * them.
 */
const resetStream =
  /^(Received RST_STREAM with code|Call cancelled$|Bandwidth exhausted or memory limit|Write error:|Failed to start HTTP\/2 stream)/

/** Whether the details of a status are those of a broken stream, not of a response. */
function isResetStream(details: string): boolean {
  return resetStream.test(details)
}

/** The one table from the kind of a failure to its gRPC status. */
const statusOfKind: Record<ErrorKind, status> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  'method-not-allowed': status.UNIMPLEMENTED,
  conflict: status.ALREADY_EXISTS,
  gone: status.FAILED_PRECONDITION,
  'precondition-failed': status.ABORTED,
  'too-large': status.OUT_OF_RANGE,
  'unsupported-media-type': status.UNIMPLEMENTED,
  'rate-limited': status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
}

/** Carries kind, code and details of a domain error in the trailers, as JSON. */
const errorKey = 'snipkeep-error-bin'

interface WireError {
  readonly kind: ErrorKind
  readonly code: string
  readonly message: string
  readonly details: ErrorDetails
}

function wireBytes({ kind, code, message, details }: DomainError): Buffer {
  return Buffer.from(JSON.stringify({ kind, code, message, details } satisfies WireError))
}

function fromWire(bytes: Buffer, cause: unknown): DomainError {
  const { kind, code, message, details } = JSON.parse(bytes.toString('utf8')) as WireError
  return new DomainError(kind, code, message, details, { cause })
}

/** The gRPC status of an error: a domain error in full, anything else as `INTERNAL` without details. */
export function toServiceError(error: unknown): Pick<ServiceError, 'code' | 'details' | 'metadata'> {
  if (!(error instanceof DomainError)) {
    return { code: status.INTERNAL, details: 'internal error', metadata: new Metadata() }
  }
  const { kind, code } = error
  const metadata = new Metadata()
  metadata.set(errorKey, wireBytes(error))
  // The service was reached but a dependency of it is in trouble; an immediate retry would only add load.
  if (kind === 'unavailable') metadata.set('grpc-retry-pushback-ms', '-1')
  return { code: statusOfKind[kind], details: code, metadata }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'metadata' in error
}

function isUnreached({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE || isResetStream(details)
}

/** Whether a call got no response from the service, in time or at all. */
export function isLostCall(error: unknown): boolean {
  if (!isServiceError(error) || error.metadata?.get(errorKey)[0] !== undefined) return false
  return isUnreached(error) || error.code === status.DEADLINE_EXCEEDED
}

/** 503: another process cannot be reached; `cause` is the failure of the call, if one was made. */
export function partUnavailable(cause?: unknown): DomainError {
  return unavailable('Service temporarily unavailable. Try again.', cause)
}

/**
 * The error for the caller of a gRPC client: the domain error that the server threw, `unavailable` if it could not be
 * reached, the connection broke or the method is unknown, `timeout` if the deadline passed; anything else unchanged.
 */
export function fromServiceError(error: unknown): unknown {
  if (!isServiceError(error)) return error
  const wire = error.metadata?.get(errorKey)[0]
  if (wire instanceof Buffer) return fromWire(wire, error)
  // The other process may be of the previous release, which lacks the method.
  if (isUnreached(error) || error.code === status.UNIMPLEMENTED) return partUnavailable(error)
  if (error.code === status.DEADLINE_EXCEEDED) {
    return new DomainError('timeout', 'timeout', 'The request timed out. Try again.', {}, { cause: error })
  }
  return error
}

/** The failure of one of several requests in a call; the protocol has a message of this shape. */
export interface Failure {
  readonly status: number
  /** The content of the trailer; empty for an internal error. */
  readonly error: Buffer
}

/** The failure of one of several results in a call; an unexpected error has only its status. */
export function toFailure(error: unknown): { status: number; error: Buffer } {
  if (!(error instanceof DomainError)) return { status: status.INTERNAL, error: Buffer.alloc(0) }
  return { status: statusOfKind[error.kind], error: wireBytes(error) }
}

/** The failure that the handler of a call has reported, as one of several results. */
export function failureOfStatus({ code, metadata }: Partial<ServiceError>): Failure {
  const wire = metadata?.get(errorKey)[0]
  return { status: code ?? status.UNKNOWN, error: wire instanceof Buffer ? wire : Buffer.alloc(0) }
}

/** An error as grpc-js reports it, of a call that was not made by itself. */
export function serviceErrorOf(code: status, details: string, error?: Buffer): ServiceError {
  const metadata = new Metadata()
  if (error !== undefined && error.length > 0) metadata.set(errorKey, error)
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata })
}

/** The error of such a result, like `fromServiceError` for a single call. */
export function fromFailure({ status: code, error }: Failure): Error {
  return error.length > 0 ? fromWire(error, undefined) : new Error(`responded with ${status[code] ?? code}`)
}

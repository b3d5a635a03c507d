import { S3ServiceException } from '@aws-sdk/client-s3'
import { DomainError, unavailable } from '#libs/core/domain-error.js'

const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
])
const timeoutNames: ReadonlySet<string> = new Set(['TimeoutError', 'AbortError'])
const busyNames: ReadonlySet<string> = new Set([
  'SlowDown',
  'RequestTimeout',
  'Throttling',
  'ThrottlingException',
  'OperationAborted',
])

/** The error code of the store; `undefined` for anything else. */
export function s3ErrorCode(error: unknown): string | undefined {
  return error instanceof S3ServiceException ? error.name : undefined
}

/** Whether the object, or the requested range of it, does not exist. */
export function isNoSuchObject(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const status = error.$metadata.httpStatusCode
  return status === 416 || (status === 404 && error.name !== 'NoSuchBucket')
}

/**
 * Whether the store, not the request, is at fault: unreachable, too slow, or throttling. A wrong bucket or key is
 * not, so that it is logged as a configuration error.
 */
function isS3Trouble(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 500
    return status >= 500 || status === 408 || status === 429 || busyNames.has(error.name)
  }
  if (!(error instanceof Error)) return false
  return timeoutNames.has(error.name) || ('code' in error && connectionCodes.has(String(error.code)))
}

/**
 * The message of an error, without the request and response that the SDK attaches, which do not belong in a
 * log.
 */
function briefly(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const status = error instanceof S3ServiceException ? ` (${error.$metadata.httpStatusCode})` : ''
  return new Error(`document store: ${error.name}${status}: ${error.message}`)
}

/**
 * Translates an S3 error: `unavailable` for temporary trouble, and a plain error for a mistake that someone must fix.
 * Our own errors stay as they are.
 */
export function toDocumentStoreError(error: unknown): unknown {
  if (error instanceof DomainError) return error
  if (isS3Trouble(error))
    return unavailable('Large documents are temporarily unavailable. Try again.', briefly(error))
  return error instanceof S3ServiceException ? briefly(error) : error
}

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

/** The code by which the store refused a request; `undefined` for anything that is no response of it. */
export function s3ErrorCode(error: unknown): string | undefined {
  return error instanceof S3ServiceException ? error.name : undefined
}

/** Whether there is no such object, or nothing of it in the range that was asked for. */
export function isNoSuchObject(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const status = error.$metadata.httpStatusCode
  return status === 416 || (status === 404 && error.name !== 'NoSuchBucket')
}

/**
 * Whether the store, not the request, is at fault: unreachable, too slow, or asking us to come back later. A wrong
 * bucket or key is not, so that it is logged as the mistake that it is.
 */
function isS3Trouble(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 500
    return status >= 500 || status === 408 || status === 429 || busyNames.has(error.name)
  }
  if (!(error instanceof Error)) return false
  return timeoutNames.has(error.name) || ('code' in error && connectionCodes.has(String(error.code)))
}

/** What an error says, without the request and the response that the SDK hangs on it: those have no place in a log. */
function briefly(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const status = error instanceof S3ServiceException ? ` (${error.$metadata.httpStatusCode})` : ''
  return new Error(`document store: ${error.name}${status}: ${error.message}`)
}

/**
 * What the callers of a store get for an error of S3: `unavailable` for trouble that passes, and a plain error for a
 * mistake that somebody must mend. Errors of our own stay as they are.
 */
export function toDocumentStoreError(error: unknown): unknown {
  if (error instanceof DomainError) return error
  if (isS3Trouble(error))
    return unavailable('Large documents are temporarily unavailable. Try again.', briefly(error))
  return error instanceof S3ServiceException ? briefly(error) : error
}

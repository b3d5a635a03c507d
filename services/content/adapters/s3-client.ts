import { S3Client } from '@aws-sdk/client-s3'

/** The S3-compatible store, and where in it documents are. */
export interface S3Options {
  /** `null` for AWS itself. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  /** The prefix of every document's key, before a slash; empty for none. */
  readonly prefix: string
  /** `null` for the SDK's own search, such as a role, a profile or a file. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** Whether the bucket is part of the path instead of the host name. */
  readonly forcePathStyle: boolean
  /** The timeout of one attempt in milliseconds. */
  readonly attemptTimeoutMs?: number
}

const connectionsMax = 50

/** The maximum attempts of a request; all of ours are safe to repeat. */
export const attemptsMax = 3

/** The default timeout of an attempt: 5 MiB arrive even at 5 Mbit/s. */
export const usualAttemptTimeoutMs = 10_000

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** A client with a bounded connection pool and timeouts on everything. */
export function createS3Client(options: S3Options): S3Client {
  const timeoutMs = options.attemptTimeoutMs ?? usualAttemptTimeoutMs
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    maxAttempts: attemptsMax,
    // For compatible stores, which reject the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === null ? {} : { credentials: options.credentials }),
    requestHandler: {
      connectionTimeout: Math.min(2_000, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      httpAgent: { keepAlive: true, maxSockets: connectionsMax },
      httpsAgent: { keepAlive: true, maxSockets: connectionsMax },
      logger: silent,
    },
  })
}

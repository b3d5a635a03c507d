import { S3Client } from '@aws-sdk/client-s3'

/** How an S3-compatible store is reached, and where in it documents are. */
export interface S3Options {
  /** `null` for AWS itself. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  /** What the key of every document begins with, before a slash; empty for nothing. */
  readonly prefix: string
  /** `null` where the SDK finds them by itself: a role, a profile, a file of the platform. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** Whether the bucket stands in the path of the address, not in its host name. */
  readonly forcePathStyle: boolean
  /** Milliseconds for one attempt of one request. */
  readonly attemptTimeoutMs?: number
}

const connectionsMax = 50

/** How often a request is tried before it fails; all of ours may be repeated. */
export const attemptsMax = 3

/** How long an attempt may take where nothing else is said: 5 MiB arrive even at 5 Mbit/s. */
export const usualAttemptTimeoutMs = 10_000

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** A client with a bounded pool of connections, and with a timeout on everything. */
export function createS3Client(options: S3Options): S3Client {
  const timeoutMs = options.attemptTimeoutMs ?? usualAttemptTimeoutMs
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    maxAttempts: attemptsMax,
    // What others understand of S3: they refuse the checksums that the SDK would add by itself.
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

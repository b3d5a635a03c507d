import { type Environment, readVariables } from '#libs/config/read-variables.js'
import {
  choice,
  flag,
  httpUrl,
  integer,
  internal,
  optional,
  secret,
  text,
  type Values,
} from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { redisVariables } from '#libs/redis/redis-variables.js'
import { serviceConfig, serviceVariables } from '#libs/service/service-config.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import { productionProblems } from '#shared/config/production-rules.js'

const minute = 60_000
const hour = 60 * minute

/** The location of large documents. */
const documentVariables = {
  DOCUMENT_STORE: choice(
    'Where to store large documents: `postgres`, or `s3` for any S3-compatible store (docs/documents-in-s3.md).',
    ['postgres', 's3'],
    'postgres',
  ),
  S3_ENDPOINT: optional(httpUrl('The address of the S3-compatible store.'), 'AWS'),
  S3_REGION: text('The region of the bucket.', 'us-east-1'),
  S3_BUCKET: optional(text('The bucket for documents. Required with `DOCUMENT_STORE=s3`.')),
  S3_PREFIX: optional(text('A prefix for document keys in the bucket, without the slash.')),
  S3_ACCESS_KEY_ID: optional(
    secret(text('An access key that can read, write, list and delete in the bucket.')),
    "the SDK's own search for credentials",
  ),
  S3_SECRET_ACCESS_KEY: optional(
    secret(text('The secret of `S3_ACCESS_KEY_ID`.')),
    "the SDK's own search for credentials",
  ),
  S3_FORCE_PATH_STYLE: optional(
    flag('Whether the bucket goes into the path instead of the host name.', false),
    'true with an `S3_ENDPOINT` that is not of AWS',
  ),
}

/** The variables of content. */
export const variables = {
  ...serviceVariables('content', 50_051),
  IDENTITY_GRPC_TARGET: text(
    'The gRPC address of identity. Content sends it events about shares and limits.',
    '127.0.0.1:50052',
  ),
  INTERNAL_CONTENT_PURGE_INTERVAL_MS: internal(
    integer('How often to purge expired shares, in milliseconds.', { min: 100, max: hour }, 5 * minute),
  ),
  INTERNAL_CONTENT_SWEEP_INTERVAL_MS: internal(
    integer('How often to delete orphaned documents, in milliseconds.', { min: 100, max: hour }, 5 * minute),
  ),
  INTERNAL_CONTENT_ORPHAN_GRACE_MS: internal(
    integer(
      'How long to keep an orphaned document, in milliseconds. Uploads and reads in progress must finish within this time.',
      { min: 0, max: 24 * hour },
      30 * minute,
    ),
  ),
  STORAGE_PATH: optional(
    text('A folder on the disk that holds the data. This process watches its free space.'),
    '`npm start`: the folder of its database',
  ),
  STORAGE_FREE_BYTES_MIN: integer(
    'Minimum free bytes on the disk of `STORAGE_PATH`. Below it, creates get 503 while reads and deletes continue; 0 for no limit.',
    { min: 0 },
    1_073_741_824,
  ),
  ...documentVariables,
  ...redisVariables,
  ...planVariables,
}

function documentProblems(values: Values<typeof documentVariables>): readonly string[] {
  const keys = [values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY].filter((key) => key !== null)
  return [
    ...(values.DOCUMENT_STORE === 's3' && values.S3_BUCKET === null
      ? ['S3_BUCKET must be set if DOCUMENT_STORE is s3.']
      : []),
    ...(keys.length === 1
      ? [
          'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must both be set, or neither for those that the SDK finds.',
        ]
      : []),
  ]
}

/** AWS wants the bucket in the host name; most other stores need it in the path. */
function isOfAws(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname)
}

/** Where large documents are; `null` for an endpoint is AWS itself, and for credentials the SDK's own search. */
function documentsOf(values: Values<typeof documentVariables>) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (values.DOCUMENT_STORE === 'postgres' || bucket === null) return { kind: 'postgres' } as const
  return {
    kind: 's3' as const,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    bucket,
    /** Without slashes around it; empty for none. */
    prefix: (values.S3_PREFIX ?? '')
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
    forcePathStyle:
      values.S3_FORCE_PATH_STYLE ?? (values.S3_ENDPOINT !== null && !isOfAws(values.S3_ENDPOINT)),
  }
}

/**
 * Reads content's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...transportProblems(parsed, { GRPC_HOST: parsed.GRPC_HOST }),
    ...documentProblems(parsed),
  ])
  return {
    ...serviceConfig(values, 'content'),
    targets: { identity: values.IDENTITY_GRPC_TARGET },
    purgeIntervalMs: values.INTERNAL_CONTENT_PURGE_INTERVAL_MS,
    sweepIntervalMs: values.INTERNAL_CONTENT_SWEEP_INTERVAL_MS,
    orphanGraceMs: values.INTERNAL_CONTENT_ORPHAN_GRACE_MS,
    documents: documentsOf(values),
    /** `path` is `null` if the disk is not visible. */
    freeSpace: { path: values.STORAGE_PATH, bytesMin: values.STORAGE_FREE_BYTES_MIN },
    /** `null` for none; used only by operator commands and the doctor. */
    redisUrl: values.REDIS_URL,
    plans: planCatalogue(values),
  }
}

/** Content's configuration. */
export type ContentConfig = Readonly<ReturnType<typeof readConfig>>

import type { S3Access } from '#libs/testing/s3-server.js'
import { createTestBucket, type TestBucket } from '#libs/testing/test-bucket.js'
import { fallbackDocumentStore } from '../adapters/document-stores.js'
import type { S3Options } from '../adapters/s3-client.js'
import { type S3DocumentStore, s3DocumentStore } from '../adapters/s3-document-store.js'
import type { ContentFixture } from './content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from './postgres-fixture.js'

/** Content on real Postgres, with its documents in its own bucket. */
export interface S3Fixture extends ContentFixture {
  readonly postgres: PostgresFixture
  readonly bucket: TestBucket
  readonly store: S3DocumentStore
  /** Empties every table and the bucket. */
  reset(): Promise<S3Fixture>
  close(): Promise<void>
}

const minute = 60_000

/** The options of the adapter for a test's bucket. */
export function s3OptionsOf(bucket: TestBucket, access: S3Access = bucket.access): S3Options {
  const { endpoint, region, accessKeyId, secretAccessKey } = access
  const credentials = { accessKeyId, secretAccessKey }
  return { endpoint, region, bucket: bucket.name, prefix: 'documents', credentials, forcePathStyle: true }
}

/** Opens both; with `two`, reads fall back to Postgres. */
export async function openS3Fixture(
  prefix: string,
  access: S3Access,
  places: 'one' | 'two' = 'one',
): Promise<S3Fixture> {
  const postgres = await openPostgresFixture(prefix.replaceAll('-', '_'))
  const bucket = await createTestBucket(prefix, access)
  const store = s3DocumentStore(s3OptionsOf(bucket), 30 * minute)
  const documents = places === 'one' ? store : fallbackDocumentStore(store, postgres.listed)
  const fixture: S3Fixture = {
    ...postgres,
    postgres,
    bucket,
    store,
    ports: { ...postgres.ports, documents },
    async reset() {
      await Promise.all([postgres.reset(), bucket.empty()])
      return fixture
    },
    async damageDocument(id) {
      const bytes = await bucket.get(`documents/${id}`)
      await bucket.put(`documents/${id}`, bytes.with(0, (bytes[0] ?? 0) ^ 1))
    },
    documentsWithBytes: async () =>
      (await bucket.keys()).length + (places === 'one' ? 0 : await postgres.documentsWithBytes()),
    async close() {
      store.close()
      await Promise.all([postgres.close(), bucket.drop()])
    },
  }
  return fixture
}

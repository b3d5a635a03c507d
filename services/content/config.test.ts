import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'

const needed = { DATABASE_URL: 'postgres://127.0.0.1/test' }

describe('the configuration of content', () => {
  it('needs only a database', () => {
    expect(readConfig(needed)).toMatchObject({
      grpc: { host: '127.0.0.1', port: 50_051, healthPort: null },
      database: { schema: 'content', role: 'snipkeep_content' },
      plans: { free: { snippets: 15 }, pro: { snippets: null } },
    })
  })

  it('removes the bytes of expired shares within the hour: its three intervals do not add up to more', () => {
    const { purgeIntervalMs, sweepIntervalMs, orphanGraceMs } = readConfig(needed)
    expect(purgeIntervalMs + orphanGraceMs + sweepIntervalMs).toBeLessThanOrEqual(3_600_000)
  })

  it('refuses plaintext gRPC on any address but loopback', () => {
    expect(() => readConfig({ ...needed, GRPC_HOST: '0.0.0.0' })).toThrow(/GRPC_INSECURE/)
    expect(readConfig({ ...needed, GRPC_HOST: 'unix:/run/content.sock' }).grpc.host).toBe(
      'unix:/run/content.sock',
    )
  })

  it('stores documents in Postgres by default', () => {
    expect(readConfig(needed).documents).toEqual({ kind: 'postgres' })
    expect(readConfig({ ...needed, S3_BUCKET: 'b' }).documents).toEqual({ kind: 'postgres' })
  })

  it('can store documents in a bucket, of AWS or of another store', () => {
    const s3 = { ...needed, DOCUMENT_STORE: 's3', S3_BUCKET: 'snippets' }
    expect(readConfig(s3).documents).toEqual({
      kind: 's3',
      endpoint: null,
      region: 'us-east-1',
      bucket: 'snippets',
      prefix: '',
      credentials: null,
      forcePathStyle: false,
    })
    const own = {
      S3_ENDPOINT: 'http://127.0.0.1:9000/',
      S3_REGION: 'garage',
      S3_PREFIX: '/snipkeep//documents/',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig({ ...s3, ...own }).documents).toEqual({
      kind: 's3',
      endpoint: 'http://127.0.0.1:9000',
      region: 'garage',
      bucket: 'snippets',
      prefix: 'snipkeep/documents',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      forcePathStyle: true,
    })
  })

  it('puts the bucket into the host name for AWS and into the path for others, unless told otherwise', () => {
    const style = (env: Record<string, string>) =>
      readConfig({ ...needed, DOCUMENT_STORE: 's3', S3_BUCKET: 'snippets', ...env }).documents
    const [aws, other] = ['https://s3.eu-central-1.amazonaws.com', 'https://amazonaws.com.example']
    expect(style({ S3_ENDPOINT: aws })).toMatchObject({ forcePathStyle: false })
    expect(style({ S3_ENDPOINT: other })).toMatchObject({ forcePathStyle: true })
    expect(style({ S3_ENDPOINT: other, S3_FORCE_PATH_STYLE: 'false' })).toMatchObject({
      forcePathStyle: false,
    })
    expect(style({ S3_ENDPOINT: aws, S3_FORCE_PATH_STYLE: 'true' })).toMatchObject({ forcePathStyle: true })
  })

  it('reports every missing or invalid bucket variable at once', () => {
    const env = { ...needed, DOCUMENT_STORE: 's3', S3_ACCESS_KEY_ID: 'key' }
    expect(() => readConfig(env)).toThrow(/S3_BUCKET[\s\S]*S3_SECRET_ACCESS_KEY/)
    const wrong = {
      ...needed,
      DOCUMENT_STORE: 'tape',
      S3_ENDPOINT: 'ftp://a',
      S3_FORCE_PATH_STYLE: 'perhaps',
    }
    expect(() => readConfig(wrong)).toThrow(/DOCUMENT_STORE[\s\S]*S3_ENDPOINT[\s\S]*S3_FORCE_PATH_STYLE/)
  })

  it('never prints a secret, even of an invalid configuration', () => {
    const env = { ...needed, DOCUMENT_STORE: 's3', S3_SECRET_ACCESS_KEY: 'hush-hush' }
    expect(() => readConfig(env)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hush') }),
    )
  })
})

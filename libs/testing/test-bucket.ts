import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import type { S3Access } from './s3-server.js'

/** A bucket for one test file, accessed without the adapter. */
export interface TestBucket {
  readonly access: S3Access
  readonly name: string
  /** The keys of all objects, in order. */
  keys(): Promise<readonly string[]>
  /** The keys of pending multipart uploads of this key; MinIO lists them only by key. */
  unfinished(key: string): Promise<readonly string[]>
  get(key: string): Promise<Uint8Array>
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Removes all objects. */
  empty(): Promise<void>
  /** Removes the bucket with everything in it. */
  drop(): Promise<void>
}

/** Creates a unique bucket, in the given store or the one that the setup provides. */
export async function createTestBucket(prefix: string, access: S3Access = inject('s3')): Promise<TestBucket> {
  const { accessKeyId, secretAccessKey, endpoint, region } = access
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const name = `${prefix}-${randomBytes(6).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket: name }))
  const page = async (): Promise<readonly string[]> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
  }
  const bucket: TestBucket = {
    access,
    name,
    keys: async () => [...(await page())].sort(),
    async unfinished(key) {
      const command = new ListMultipartUploadsCommand({ Bucket: name, Prefix: key })
      const { Uploads = [] } = await client.send(command)
      return Uploads.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    },
    async get(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }))
      return (await Body?.transformToByteArray()) ?? new Uint8Array()
    },
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: bytes }))
    },
    async empty() {
      for (let keys = await page(); keys.length > 0; keys = await page()) {
        const Objects = keys.map((Key) => ({ Key }))
        await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects } }))
      }
    },
    async drop() {
      await bucket.empty()
      await client.send(new DeleteBucketCommand({ Bucket: name }))
      client.destroy()
    },
  }
  return bucket
}

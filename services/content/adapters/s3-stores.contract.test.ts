import { afterAll, beforeAll } from 'vitest'
import { openS3Fixture, type S3Fixture } from '../testing/s3-fixture.js'
import { atomicDocumentStoreContract } from './atomic-document-store-contract.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'
import { revisionDocumentsContract } from './revision-documents-contract.js'

let alone: S3Fixture
let moving: S3Fixture

beforeAll(async () => {
  alone = await openS3Fixture('content-s3')
  moving = await openS3Fixture('content-moving', 'two')
})
afterAll(async () => {
  await alone?.close()
  await moving?.close()
})

documentStoreContract('documents in S3', () => alone.reset())
atomicDocumentStoreContract('documents in S3', () => alone.reset())
documentRegistryContract('the registry of documents in S3', () => alone.reset())
documentStoreContract('documents moving from Postgres to S3', () => moving.reset())
documentRegistryContract('the registry of documents moving to S3', () => moving.reset())
revisionDocumentsContract('documents of revisions in S3', () => alone.reset())
ownerErasureContract('erased owners with documents in S3', () => alone.reset())

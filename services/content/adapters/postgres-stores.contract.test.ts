import { afterAll, beforeAll } from 'vitest'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { checkDecisionsContract } from './check-decisions-contract.js'
import { checkStoreContract } from './check-store-contract.js'
import { contractGuardContract } from './contract-guard-contract.js'
import { contractStoreContract } from './contract-store-contract.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { eventOutboxContract } from './event-outbox-contract.js'
import { idempotencyStoreContract } from './idempotency-store-contract.js'
import { listedDocumentStoreContract } from './listed-document-store-contract.js'
import { moderationContract } from './moderation-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'
import { planChangeContract } from './plan-change-contract.js'
import { revisionDocumentsContract } from './revision-documents-contract.js'
import { revisionStoreContract } from './revision-store-contract.js'
import { shareGatesContract } from './share-gates-contract.js'
import { shareStoreContract } from './share-store-contract.js'
import { snippetListContract } from './snippet-list-contract.js'
import { snippetStoreContract } from './snippet-store-contract.js'
import { storageQuotaContract } from './storage-quota-contract.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_stores')
})
afterAll(() => fixture?.close())

const open = () => fixture.reset()

snippetStoreContract('snippets in Postgres', open)
snippetListContract('lists of snippets in Postgres', open)
shareStoreContract('shares in Postgres', open)
shareGatesContract('gates of shares in Postgres', open)
documentStoreContract('documents in Postgres', open)
listedDocumentStoreContract('documents in Postgres', open)
documentRegistryContract('the registry of documents in Postgres', open)
idempotencyStoreContract('idempotency keys in Postgres', open)
planChangeContract('a change of plan in Postgres', open)
storageQuotaContract('quotas of storage in Postgres', open)
revisionStoreContract('revisions in Postgres', open)
revisionDocumentsContract('documents of revisions in Postgres', open)
contractStoreContract('contracts in Postgres', open)
contractGuardContract('what contracts protect in Postgres', open)
checkStoreContract('checks in Postgres', open)
checkDecisionsContract('decided checks in Postgres', open)
eventOutboxContract('the event outbox in Postgres', open)
moderationContract('moderation in Postgres', open)
ownerErasureContract('erased owners in Postgres', open)

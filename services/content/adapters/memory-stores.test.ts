import { memoryFixture } from '../testing/memory-fixture.js'
import { atomicDocumentStoreContract } from './atomic-document-store-contract.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { eventOutboxContract } from './event-outbox-contract.js'
import { fallbackDocumentStore } from './fallback-document-store.js'
import { idempotencyStoreContract } from './idempotency-store-contract.js'
import { listedDocumentStoreContract } from './listed-document-store-contract.js'
import { moderationContract } from './moderation-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'
import { planChangeContract } from './plan-change-contract.js'
import { revisionDocumentsContract } from './revision-documents-contract.js'
import { revisionStoreContract } from './revision-store-contract.js'
import { shareAttemptsContract } from './share-attempts-contract.js'
import { shareGatesContract } from './share-gates-contract.js'
import { shareStoreContract } from './share-store-contract.js'
import { snippetListContract } from './snippet-list-contract.js'
import { snippetStoreContract } from './snippet-store-contract.js'
import { storageQuotaContract } from './storage-quota-contract.js'

const open = async () => memoryFixture()
const openTwoPlaces = async () => {
  const fixture = memoryFixture()
  const documents = fallbackDocumentStore(fixture.elsewhere, fixture.listed)
  const documentsWithBytes = async () => fixture.bytes.size + fixture.bytesElsewhere.size
  return { ...fixture, ports: { ...fixture.ports, documents }, documentsWithBytes }
}

snippetStoreContract('snippets in memory', open)
snippetListContract('lists of snippets in memory', open)
shareStoreContract('shares in memory', open)
shareGatesContract('gates of shares in memory', open)
shareAttemptsContract('a repeated attempt in memory', open)
documentStoreContract('documents in memory', open)
atomicDocumentStoreContract('documents in memory', open)
listedDocumentStoreContract('documents in memory', open)
documentStoreContract('documents moving from one memory store to another', openTwoPlaces)
documentRegistryContract('the registry of documents in memory', open)
idempotencyStoreContract('idempotency keys in memory', open)
planChangeContract('a change of plan in memory', open)
storageQuotaContract('quotas of storage in memory', open)
revisionStoreContract('revisions in memory', open)
revisionDocumentsContract('documents of revisions in memory', open)
eventOutboxContract('the event outbox in memory', open)
moderationContract('moderation in memory', open)
ownerErasureContract('erased owners in memory', open)

import { atomicDocumentStoreContract } from '../adapters/atomic-document-store-contract.js'
import { checkDecisionsContract } from '../adapters/check-decisions-contract.js'
import { checkStoreContract } from '../adapters/check-store-contract.js'
import { contractGuardContract } from '../adapters/contract-guard-contract.js'
import { contractStoreContract } from '../adapters/contract-store-contract.js'
import { documentRegistryContract } from '../adapters/document-registry-contract.js'
import { documentStoreContract } from '../adapters/document-store-contract.js'
import { fallbackDocumentStore } from '../adapters/document-stores.js'
import { eventOutboxContract } from '../adapters/event-outbox-contract.js'
import { idempotencyStoreContract } from '../adapters/idempotency-store-contract.js'
import { listedDocumentStoreContract } from '../adapters/listed-document-store-contract.js'
import { moderationContract } from '../adapters/moderation-contract.js'
import { ownerErasureContract } from '../adapters/owner-erasure-contract.js'
import { planChangeContract } from '../adapters/plan-change-contract.js'
import { revisionDocumentsContract } from '../adapters/revision-documents-contract.js'
import { revisionStoreContract } from '../adapters/revision-store-contract.js'
import { shareAttemptsContract } from '../adapters/share-attempts-contract.js'
import { shareGatesContract } from '../adapters/share-gates-contract.js'
import { shareStoreContract } from '../adapters/share-store-contract.js'
import { snippetListContract } from '../adapters/snippet-list-contract.js'
import { snippetStoreContract } from '../adapters/snippet-store-contract.js'
import { storageQuotaContract } from '../adapters/storage-quota-contract.js'
import { memoryFixture } from './memory-fixture.js'

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
contractStoreContract('contracts in memory', open)
contractGuardContract('what contracts protect in memory', open)
checkStoreContract('checks in memory', open)
checkDecisionsContract('decided checks in memory', open)
eventOutboxContract('the event outbox in memory', open)
moderationContract('moderation in memory', open)
ownerErasureContract('erased owners in memory', open)

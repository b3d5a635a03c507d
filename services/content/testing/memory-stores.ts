import type { ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import type { ContentStores } from '../wire.js'
import { memoryCheckStore } from './memory-check-store.js'
import { memoryContractStore } from './memory-contract-store.js'
import { memoryDocumentRegistry } from './memory-document-registry.js'
import { memoryDocumentStore } from './memory-document-store.js'
import { memoryEventOutbox } from './memory-event-outbox.js'
import { memoryIdempotencyStore } from './memory-idempotency-store.js'
import { memoryModerationStore } from './memory-moderation-store.js'
import { memoryOwnerErasure } from './memory-owner-erasure.js'
import { memoryPlanVersions } from './memory-plan-versions.js'
import { memoryReportStore } from './memory-report-store.js'
import { memoryRevisionStore } from './memory-revision-store.js'
import { memoryShareGates } from './memory-share-gates.js'
import { memoryShareStore } from './memory-share-store.js'
import { memorySnippetStore } from './memory-snippet-store.js'
import { type MemoryState, memoryState } from './memory-state.js'
import { memoryStorageUsage } from './memory-storage-usage.js'

/** Content's stores in memory. */
export interface MemoryStores {
  readonly state: MemoryState
  /** The bytes of documents. */
  readonly bytes: Map<DocumentId, Uint8Array>
  readonly stores: ContentStores & { readonly documents: ListedDocumentStore }
}

/** Empty stores with this clock. */
export function memoryStores(now: () => Date): MemoryStores {
  const state = memoryState(now)
  const bytes = new Map<DocumentId, Uint8Array>()
  const stores = {
    snippets: memorySnippetStore(state),
    revisions: memoryRevisionStore(state),
    contracts: memoryContractStore(state),
    checks: memoryCheckStore(state),
    shares: memoryShareStore(state),
    reports: memoryReportStore(state),
    moderation: memoryModerationStore(state),
    gates: memoryShareGates(state),
    erasure: memoryOwnerErasure(state),
    planVersions: memoryPlanVersions(),
    outbox: memoryEventOutbox(state),
    auditOutbox: state.audit,
    registry: memoryDocumentRegistry(state),
    documents: memoryDocumentStore(state, bytes),
    usage: memoryStorageUsage(state),
    idempotency: memoryIdempotencyStore(state),
  }
  return { state, bytes, stores }
}

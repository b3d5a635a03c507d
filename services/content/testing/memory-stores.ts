import { memoryDocumentRegistry } from '../adapters/memory-document-registry.js'
import { memoryDocumentStore } from '../adapters/memory-document-store.js'
import { memoryEventOutbox } from '../adapters/memory-event-outbox.js'
import { memoryIdempotencyStore } from '../adapters/memory-idempotency-store.js'
import { memoryModerationStore } from '../adapters/memory-moderation-store.js'
import { memoryOwnerErasure } from '../adapters/memory-owner-erasure.js'
import { memoryPlanVersions } from '../adapters/memory-plan-versions.js'
import { memoryReportStore } from '../adapters/memory-report-store.js'
import { memoryRevisionStore } from '../adapters/memory-revision-store.js'
import { memoryShareGates } from '../adapters/memory-share-gates.js'
import { memoryShareStore } from '../adapters/memory-share-store.js'
import { memorySnippetStore } from '../adapters/memory-snippet-store.js'
import { type MemoryState, memoryState } from '../adapters/memory-state.js'
import { memoryStorageUsage } from '../adapters/memory-storage-usage.js'
import type { ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import type { ContentStores } from '../wire.js'

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
    shares: memoryShareStore(state),
    reports: memoryReportStore(state),
    moderation: memoryModerationStore(state),
    gates: memoryShareGates(state),
    erasure: memoryOwnerErasure(state),
    planVersions: memoryPlanVersions(),
    outbox: memoryEventOutbox(state),
    registry: memoryDocumentRegistry(state),
    documents: memoryDocumentStore(state, bytes),
    usage: memoryStorageUsage(state),
    idempotency: memoryIdempotencyStore(state),
  }
  return { state, bytes, stores }
}

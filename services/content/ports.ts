import type { Announced } from '#libs/core/announced.js'
import type { ListPosition, Page } from '#libs/core/page.js'
import type { Completion, Lease } from './domain/idempotency.js'
import type { DocumentId, OwnerId, ShareId, SnippetId } from './domain/ids.js'
import type { Share, ShareDraft, ShareQuota, ShareState } from './domain/share.js'
import type { Snippet, SnippetChange, SnippetDraft } from './domain/snippet.js'
import type { DataContent, DataDigest, StorageQuota } from './domain/stored-data.js'

/** A record with its bytes, as far as they were asked for. */
export interface WithData<Record> {
  readonly record: Record
  /** `null` when they were not asked for. */
  readonly data: DataContent | null
}

/** A page of snippets, and their `etagsOf`: where those are equal for the same filter, the pages are. */
export interface SnippetPage extends Page<WithData<Snippet>> {
  readonly etags: string
}

/** An owner's snippet. */
export interface SnippetKey {
  readonly ownerId: OwnerId
  readonly id: SnippetId
}

/** A snippet by the name that its owner gave it. */
export interface SnippetNameKey {
  readonly ownerId: OwnerId
  readonly name: string
}

/** A snippet that its owner wants to read. */
export interface SnippetRead extends SnippetKey {
  readonly includeData: boolean
}

/** What to list of an owner's snippets, and how much. */
export interface SnippetFilter {
  readonly ownerId: OwnerId
  readonly tool: string | null
  /** A snippet must carry all of them. */
  readonly tags: readonly string[]
  /** Search words that must all be among those of the title and the tags. */
  readonly words: readonly string[]
  readonly after: ListPosition | null
  readonly itemsMax: number
  readonly includeData: boolean
  /** The page ends with the item by which its data passes this many bytes. */
  readonly dataBytesMax: number
}

/**
 * Keeps snippets, and counts those of each owner. Its clock, to the millisecond, gives records their times. A document
 * that a snippet names is claimed in the step that stores the snippet, and released in the one that drops it. Where no
 * quota is given there is no limit, here and in the other stores.
 */
export interface SnippetStore {
  /**
   * Stores a new snippet, counts it, and completes the idempotent request that it belongs to, all or nothing.
   * `null` when the owner has `limit` snippets already. Inline data counts for `storage` in the same step; a document
   * was counted when it was complete.
   * @throws DomainError `name_taken`; `unavailable` when the document cannot be claimed or the lease has been lost; what
   * `storage` refuses.
   */
  add(
    draft: SnippetDraft,
    limit: number | null,
    completion: Completion | null,
    storage?: StorageQuota,
  ): Promise<Snippet | null>
  /** The owners' snippets, in the order of the reads; `null` for what an owner does not have. */
  findAll(reads: readonly SnippetRead[]): Promise<readonly (WithData<Snippet> | null)[]>
  /** The ETags of these snippets, in their order; `null` for what an owner does not have. Reads no data. */
  findEtags(keys: readonly SnippetKey[]): Promise<readonly (string | null)[]>
  /** The ids of these snippets, in their order; `null` for a name that its owner has not given. */
  findIds(keys: readonly SnippetNameKey[]): Promise<readonly (SnippetId | null)[]>
  /** Whether anybody has a snippet of this id. */
  exists(id: SnippetId): Promise<boolean>
  /** A page of the owner's snippets, newest first; it ends early where its inline data would pass `pageInlineBytesMax`. */
  list(filter: SnippetFilter): Promise<SnippetPage>
  /** The `etags` of the page that `list` would give. Reads no data. */
  listEtags(filter: SnippetFilter): Promise<string>
  /**
   * Changes a snippet in one step; `check` sees it as it is and may throw. `null` when the owner has none of this id.
   * Inline data that takes more room than what it replaces counts for `storage`.
   * @throws DomainError `name_taken`; `unavailable` when the document cannot be claimed; what `check` throws; what
   * `storage` refuses.
   */
  change(
    ownerId: OwnerId,
    id: SnippetId,
    change: SnippetChange,
    check: (snippet: Snippet) => void,
    storage?: StorageQuota,
  ): Promise<Snippet | null>
  /** Removes a snippet and counts it no more, after `check`; false when the owner has none of this id. */
  remove(ownerId: OwnerId, id: SnippetId, check: (snippet: Snippet) => void): Promise<boolean>
  /** How many snippets the owner has. */
  count(ownerId: OwnerId): Promise<number>
}

/** A share that was looked up. */
export interface FoundShare extends WithData<Share> {
  /** By the store's clock; the data of an expired share is never given. */
  readonly expired: boolean
  /** Until it expires; `null` when it never does. */
  readonly timeLeftMs: number | null
}

/** What to list of an owner's shares, and how much. */
export interface ShareFilter {
  readonly ownerId: OwnerId
  readonly tool: string | null
  readonly state: ShareState
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** The quotas that a new share falls under. */
export interface ShareQuotas {
  readonly live: ShareQuota
  readonly storage: StorageQuota
}

/** Keeps shares. Its clock alone decides what has expired: a share is live while `now < expiresAt`. */
export interface ShareStore {
  /**
   * Stores a new share, whose expiry `decideExpiry` gives for the store's now, and completes the idempotent request
   * that it belongs to, all or nothing. It counts for `storage` as a snippet does, and for the live shares of its owner.
   * @throws DomainError `unavailable` as `SnippetStore.add`; what `decideExpiry` throws; what the quotas refuse.
   */
  add(
    draft: ShareDraft,
    decideExpiry: (now: Date) => Date | null,
    completion: Completion | null,
    quotas?: ShareQuotas,
  ): Promise<Share>
  /** The share, live or expired, or `null`. */
  find(id: ShareId, includeData: boolean): Promise<FoundShare | null>
  list(filter: ShareFilter): Promise<Page<Share>>
  /** Removes a share or its tombstone, after `check`; false when there is none. */
  remove(id: ShareId, check: (share: Share) => void): Promise<boolean>
  /** How many live shares the owner has. */
  countLive(ownerId: OwnerId): Promise<number>
  /** Takes the data from up to `limit` expired shares and leaves tombstones; how many they were. */
  purgeExpired(limit: number): Promise<number>
  /** Drops the titles of up to `limit` tombstones that expired a year ago (`tombstoneTitleDays`); how many they were. */
  forgetTitles(limit: number): Promise<number>
  /** Lets up to `limit` live shares of the owner, whose expiry a plan gave them, never expire; how many they were. */
  liftExpiry(ownerId: OwnerId, limit: number): Promise<number>
}

/** Knows how new the newest plan is that an owner was said to hold. */
export interface PlanVersions {
  /** 0 for an owner of whom nothing was said. */
  find(ownerId: OwnerId): Promise<number>
  /** Notes a version unless a later one is noted already. */
  note(ownerId: OwnerId, version: number): Promise<void>
}

/** Knows every document: whose it is, whether it is complete, and whether anything names it. */
export interface DocumentRegistry {
  /**
   * Notes a document that is about to be written, or whose bytes could not be removed; one that is noted already stays
   * as it is. It is complete only after `complete`, and named by nothing.
   */
  reserve(id: DocumentId, ownerId: OwnerId): Promise<void>
  /**
   * Notes that all bytes have arrived, and whether they were kept: what was only compared is never claimed, and counts
   * for nothing. What was kept counts for its owner's storage from this step until it is forgotten.
   * @throws DomainError `unavailable` when the document has been condemned meanwhile; what `storage` refuses.
   */
  complete(id: DocumentId, digest: DataDigest, kept: boolean, storage?: StorageQuota): Promise<void>
  /** The digest of a complete document, or `null`. */
  find(id: DocumentId): Promise<DataDigest | null>
  /** The digest of a document that a record names at this moment, or `null`. */
  findNamed(id: DocumentId): Promise<DataDigest | null>
  /** Makes up to `limit` documents, named by nothing for longer than `graceMs`, impossible to claim, and gives their ids. */
  condemn(graceMs: number, limit: number): Promise<readonly DocumentId[]>
  /** Forgets documents whose bytes have been removed; one whose bytes came after that stays condemned. */
  forget(ids: readonly DocumentId[]): Promise<void>
}

/** Knows how much each owner holds. */
export interface StorageUsage {
  /**
   * The bytes of all data that the owner holds: of snippets and shares, and of documents that nothing names any more or
   * yet, until they are forgotten.
   */
  storedBytes(ownerId: OwnerId): Promise<number>
}

/** Bytes from `offset` on; `length` of them, or all that follow. */
export interface DocumentRange {
  readonly offset: number
  readonly length: number | null
}

/** Keeps the bytes of documents, and nothing else about them. */
export interface DocumentStore {
  /**
   * Stores the chunks of a reserved document in their order, holding no more than 20 MiB of them however many there
   * are; takes the next when there is room. What fails may leave bytes behind, which `remove` takes.
   * @throws DomainError `unavailable` when the store cannot be reached. A store that sees that the document has been
   *   forgotten meanwhile throws it as well, but need not see it: `DocumentRegistry.complete` always does, and whoever
   *   hears it there removes what was written.
   */
  write(id: DocumentId, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * The bytes in order, in chunks of at most 256 KiB; none for an unknown id.
   * @throws DomainError `unavailable` when the store cannot be reached.
   */
  read(id: DocumentId, range: DocumentRange): AsyncIterable<Uint8Array>
  /**
   * Removes whatever is stored under these ids, and what writes of them have left half-done; an unknown one is no error.
   * @throws DomainError `unavailable` when the store cannot be reached; then some may be left.
   */
  remove(ids: readonly DocumentId[]): Promise<void>
}

/** A store whose documents can be gone through, by those who empty it. */
export interface ListedDocumentStore extends DocumentStore {
  /** Up to `limit` ids after `after`, in their order, of documents that have bytes here. */
  list(after: DocumentId | null, limit: number): Promise<readonly DocumentId[]>
}

/**
 * A store whose writes are all or nothing: a document can be read after the last of its chunks has been stored, and one
 * whose source fails never. A write that takes the place of an equal document disturbs no reader of it.
 */
export type AtomicDocumentStore = DocumentStore

/** What an idempotency key stands for at this moment. */
export type KeyState =
  | { readonly state: 'held' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly fingerprint: string; readonly response: string }

/** Keeps idempotency keys for 24 hours. Stores of records complete them, in the step of the effect. */
export interface IdempotencyStore {
  /**
   * Takes the lease of a key, or renews it when this holder has it: `held`. A key that is new, over its 24 hours, or
   * whose lease has run out can be taken; else its state is told.
   */
  begin(lease: Lease): Promise<KeyState>
  /** Gives the key up unless its request has been completed. */
  release(lease: Lease): Promise<void>
  /** Deletes up to `limit` expired keys; how many they were. */
  deleteExpired(limit: number): Promise<number>
}

/** Makes ids that nobody can guess. */
export interface ContentIds {
  snippet(): SnippetId
  share(): ShareId
  document(): DocumentId
  /** Names the holder of a lease. */
  holder(): string
}

/** Computes SHA-256, in lower-case hexadecimal. */
export interface Hashing {
  sha256(bytes: Uint8Array | string): string
  /** The same for bytes that come in chunks. */
  start(): { update(bytes: Uint8Array): void; digest(): string }
}

/** Everything that content needs from outside. */
export interface ContentPorts {
  readonly snippets: SnippetStore
  readonly shares: ShareStore
  readonly planVersions: PlanVersions
  readonly registry: DocumentRegistry
  readonly documents: DocumentStore
  readonly usage: StorageUsage
  readonly idempotency: IdempotencyStore
  /** Whether the disk has so little room left that nothing new may be stored; false where it cannot be seen. */
  readonly diskIsFull: () => boolean
  readonly ids: ContentIds
  readonly hashing: Hashing
  /** Milliseconds that only grow, for intervals within this process. */
  readonly monotonicMs: () => number
}

/** What an operator's commands need. */
export interface OperatorPorts extends Pick<ContentPorts, 'shares'> {
  readonly readers: {
    /** Tells everybody who remembers shares that this one is gone. Never rejects. */
    announce(id: ShareId): Promise<Announced>
  }
}

/** What moving documents from one store to another needs. */
export interface MovePorts extends Pick<ContentPorts, 'registry' | 'hashing' | 'monotonicMs'> {
  readonly from: ListedDocumentStore
  readonly to: AtomicDocumentStore
  /** Resolves after so many milliseconds, or at once when it is told to stop. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<void>
}

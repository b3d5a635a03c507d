import type { Page } from '#libs/core/page.js'
import type { AuditOutbox } from '#shared/core/audit-entry.js'
import type { CheckStore, ContractStore } from './contract-ports.js'
import type { DocumentRegistry, DocumentStore, StorageUsage } from './document-ports.js'
import type { ContentEvent, EventPrincipal, ShareViews } from './domain/content-event.js'
import type { FoundGatedShare, FoundShare, GatedRead } from './domain/found-share.js'
import type { Completion, KeyState, Lease } from './domain/idempotency.js'
import type { CheckId, DocumentId, OwnerId, ShareId, SnippetId } from './domain/ids.js'
import type { AddedRevision, ChangeQuotas, Revision, RevisionDraft } from './domain/revision.js'
import type { Share, ShareDraft, ShareFilter, ShareQuotas } from './domain/share.js'
import type { Principal, Snippet, SnippetChange, SnippetDraft } from './domain/snippet.js'
import type { SnippetFilter, SnippetKey, SnippetNameKey, SnippetRead } from './domain/snippet-reads.js'
import type { StorageQuota, WithData } from './domain/stored-data.js'
import type { OwnerErasure } from './erasure-ports.js'
import type { ModerationStore, ReportStore } from './moderation-ports.js'

/** A page of snippets, and their `etagsOf`: if those are equal for the same filter, so are the pages. */
export interface SnippetPage extends Page<WithData<Snippet>> {
  readonly etags: string
}

/**
 * Stores snippets, and counts those of each owner. Its clock, to the millisecond, sets the times of records.
 * Storing a snippet claims its document in the same step; deleting it, or replacing its data, releases the
 * document. Without a quota there is no limit, here and in the other stores.
 */
export interface SnippetStore {
  /**
   * Stores a new snippet, counts it, adds an event to the outbox if the limit becomes near, and completes its
   * idempotent request, all or nothing. The name under which a contract expects its schema is refused unless the draft
   * says that the caller may approve. `null` if the owner already has `limit` snippets. Inline data counts
   * for `storage` in the same step; a document was counted when it was complete.
   * @throws DomainError `name_taken`; `approval_required`; `unavailable` if the document cannot be claimed or the lease was lost;
   * `storage`'s; IdTaken if the owner has one with this id.
   */
  add(
    draft: SnippetDraft,
    limit: number | null,
    completion: Completion | null,
    storage?: StorageQuota,
  ): Promise<Snippet | null>
  /** The owners' snippets, in the order of the reads; `null` for one the owner does not have. */
  findAll(reads: readonly SnippetRead[]): Promise<readonly (WithData<Snippet> | null)[]>
  /** The ETags of these snippets, in order; `null` for one the owner does not have. Reads no data. */
  findEtags(keys: readonly SnippetKey[]): Promise<readonly (string | null)[]>
  /** The ids of these snippets, in order; `null` for an unknown name. */
  findIds(keys: readonly SnippetNameKey[]): Promise<readonly (SnippetId | null)[]>
  /** Whether anyone has a snippet with this id. */
  exists(id: SnippetId): Promise<boolean>
  /** A page of the owner's snippets, newest first; its inline data stays within `pageInlineBytesMax`. */
  list(filter: SnippetFilter): Promise<SnippetPage>
  /** The `etags` of the page that `list` would return. Reads no data. */
  listEtags(filter: SnippetFilter): Promise<string>
  /**
   * Changes a snippet in one step; `check` sees the current one and may throw. `null` if the owner has none
   * with this id. If the bytes of its data change, the previous version is kept as a revision, and revisions
   * beyond the quota are deleted. Growth counts for the storage quota. A change that is `protectedBy` a contract, of the
   * snippet or one that names it as its schema, is refused unless the caller may approve, here and in the other methods.
   * @throws DomainError `name_taken`; `approval_required`; `unavailable` if the document cannot be claimed; what `check`
   * throws; the quota's.
   */
  change(
    ownerId: OwnerId,
    id: SnippetId,
    change: SnippetChange,
    check: (snippet: Snippet) => void,
    mayApprove: boolean,
    quotas?: ChangeQuotas,
  ): Promise<Snippet | null>
  /**
   * Deletes and uncounts a snippet with its revisions, contract and checks, after `check`; false if the owner has none
   * with this id.
   * @throws DomainError `approval_required`; what `check` throws.
   */
  remove(
    ownerId: OwnerId,
    id: SnippetId,
    check: (snippet: Snippet) => void,
    mayApprove: boolean,
  ): Promise<boolean>
  /** The number of the owner's snippets. */
  count(ownerId: OwnerId): Promise<number>
}

/** A version to restore, and by whom. */
export interface RestoredRevision extends SnippetKey {
  readonly version: number
  readonly principal: Principal | null
  readonly mayApprove: boolean
}

/** Stores the versions of snippets, which `SnippetStore.change` writes. */
export interface RevisionStore {
  /** A version, or `null` if there is none. */
  find(key: SnippetKey, version: number, includeData: boolean): Promise<WithData<Revision> | null>
  /** The versions before this one, or all for `null`, newest first; none for an unknown snippet. */
  list(key: SnippetKey, before: number | null, itemsMax: number): Promise<readonly Revision[]>
  /**
   * Restores an earlier version of a snippet, as `SnippetStore.change` would, adds the event to the outbox, and completes
   * the request.
   * @throws DomainError `not_found` if this version is not kept; what `change` throws.
   */
  restore(
    restored: RestoredRevision,
    check: (snippet: Snippet) => void,
    quotas: ChangeQuotas,
    completion: Completion | null,
  ): Promise<Snippet | null>
  /**
   * Adds an earlier version within the quotas; `null` for an unknown snippet. Throws like `SnippetStore.remove` and
   * `change`: one could restore it.
   */
  add(
    key: SnippetKey,
    draft: RevisionDraft,
    mayApprove: boolean,
    quotas: ChangeQuotas,
  ): Promise<AddedRevision | null>
  /** Deletes up to `limit` revisions older than `revisionDaysMax`; returns how many. */
  deleteExpired(limit: number): Promise<number>
}

/** Stores shares. Only its clock decides what has expired: a share is live while `now < expiresAt`. */
export interface ShareStore {
  /**
   * Stores a new share, whose expiry `decideExpiry` computes from the store's clock, and completes its
   * idempotent request, all or nothing. It counts for `storage` and for its owner's live shares. The same
   * step adds its creation event, caused by `principal`, to the outbox, and another if a limit becomes near.
   * @throws DomainError `unavailable` like `SnippetStore.add`; the errors of `decideExpiry` and the quotas; IdTaken,
   *   also if there is a share with its import digest.
   */
  add(
    draft: ShareDraft,
    decideExpiry: (now: Date) => Date | null,
    completion: Completion | null,
    quotas?: ShareQuotas,
    principal?: EventPrincipal,
  ): Promise<Share>
  /** The share, live or expired, or `null`. */
  find(id: ShareId, includeData: boolean): Promise<FoundShare | null>
  /** The id of the share, live or expired, with this import digest; `null` for none. */
  findImported(importDigest: string): Promise<ShareId | null>
  list(filter: ShareFilter): Promise<Page<Share>>
  /** Deletes a share or its tombstone, after `check`; false if there is none. */
  remove(id: ShareId, check: (share: Share) => void): Promise<boolean>
  /** The number of the owner's live shares. */
  countLive(ownerId: OwnerId): Promise<number>
  /** Adds views to live shares; skips others. */
  addViews(views: readonly ShareViews[]): Promise<void>
  /** Adds events for up to `limit` shares with new views to the outbox, hourly per share at most; returns how many. */
  queueViewEvents(limit: number): Promise<number>
  /** Purges up to `limit` expired shares, leaving tombstones, and adds an event for each to the outbox; returns how many. */
  purgeExpired(limit: number): Promise<number>
  /** Deletes up to `limit` tombstones older than `tombstoneDays`; returns how many. */
  deleteOldTombstones(limit: number): Promise<number>
  /** Lifts the plan-given expiry of up to `limit` live shares of the owner; returns how many. */
  liftExpiry(ownerId: OwnerId, limit: number): Promise<number>
}

/** Stores gates of shares and the grants that open them. No other method finds such a share for a stranger. */
export interface ShareGateStore {
  /** The share, live or not, or `null`. */
  find(id: ShareId, read: GatedRead): Promise<FoundGatedShare | null>
  /**
   * Counts a view and gives its grant, in one step that also adds `shareUsedUp` to the outbox for the last view. `null`,
   * and nothing counted, if the share lets no one in (gone, used up, disabled, limited, its owner suspended), or a grant
   * that has not ended, of whichever share, has this digest.
   */
  grant(id: ShareId, digest: string): Promise<{ readonly share: Share; readonly expiresAt: Date } | null>
  /** Counts a wrong password and adds its event to the outbox; false, and not counted, if the share lets no one in. */
  addFailure(id: ShareId): Promise<boolean>
  /** Purges up to `limit` used-up shares whose last grant has ended, leaving tombstones; returns how many. */
  purgeUsedUp(limit: number): Promise<number>
  /** Deletes up to `limit` grants that have ended; returns how many. */
  deleteEndedAccessGrants(limit: number): Promise<number>
}

/** Events waiting for delivery to identity; the other stores add them in the step of the change itself. */
export interface EventOutbox {
  /** Up to `limit` events that are due. No other worker gets them until `leaseMs` have passed. */
  claim(limit: number, leaseMs: number): Promise<readonly ContentEvent[]>
  /** Deletes events that were recorded or rejected for good. */
  finish(events: readonly ContentEvent[]): Promise<void>
  /** Makes events due again, within a minute. */
  postpone(events: readonly ContentEvent[]): Promise<void>
}

/** Records events in the accounts' histories. */
export interface EventRecorder {
  /**
   * Records events; a repeated one only once.
   * @throws DomainError `unavailable`; another kind if it rejects them for good.
   */
  record(events: readonly ContentEvent[]): Promise<void>
}

/** Stores the newest known version of each owner's plan. */
export interface PlanVersions {
  /** 0 for an unknown owner. */
  find(ownerId: OwnerId): Promise<number>
  /** Stores a version unless a later one is stored. */
  note(ownerId: OwnerId, version: number): Promise<void>
}

/** Keeps idempotency keys for 24 hours. The stores of records complete them, in the step of the effect. */
export interface IdempotencyStore {
  /**
   * Takes the lease of a key, or renews it if this holder has it: `held`. A key can be taken if it is new,
   * older than 24 hours, or its lease has expired; otherwise returns its state.
   */
  begin(lease: Lease): Promise<KeyState>
  /** Releases the key unless its request has been completed. */
  release(lease: Lease): Promise<void>
  /** Deletes up to `limit` expired keys; returns how many. */
  deleteExpired(limit: number): Promise<number>
}

/** Creates unguessable ids. */
export interface ContentIds {
  snippet(): SnippetId
  share(): ShareId
  gatedShare(): ShareId
  accessGrant(): string
  check(): CheckId
  document(): DocumentId
  /** Identifies the holder of a lease. */
  holder(): string
}

/** Computes SHA-256, in lower-case hexadecimal, also of bytes in chunks. */
export interface Hashing {
  sha256(bytes: Uint8Array | string): string
  start(): { update(bytes: Uint8Array): void; digest(): string }
}

/** Salted hashes of passwords, slow on purpose; `unavailable` while too many are computed. */
export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

/** All dependencies of content's calls; `EventRecorder` is only for its worker. */
export interface ContentPorts {
  readonly snippets: SnippetStore
  readonly revisions: RevisionStore
  readonly contracts: ContractStore
  readonly checks: CheckStore
  readonly shares: ShareStore
  readonly reports: ReportStore
  readonly moderation: ModerationStore
  readonly gates: ShareGateStore
  readonly erasure: OwnerErasure
  readonly planVersions: PlanVersions
  readonly outbox: EventOutbox
  readonly auditOutbox: AuditOutbox
  readonly registry: DocumentRegistry
  readonly documents: DocumentStore
  readonly usage: StorageUsage
  readonly idempotency: IdempotencyStore
  /** Whether the disk is too full to store anything new; false if it is not visible. */
  readonly diskIsFull: () => boolean
  readonly ids: ContentIds
  readonly hashing: Hashing
  readonly passwords: PasswordHashing
  readonly monotonicMs: () => number
}

import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { becameNear } from '#shared/core/plan.js'
import { type MemoryAuditOutbox, memoryAuditOutbox } from '#shared/testing/memory-audit-log.js'
import { breaksBytes, type Check } from '../domain/check.js'
import { type ContentEvent, type CountedLimit, limitNear } from '../domain/content-event.js'
import type { Contract } from '../domain/contract.js'
import type { Completion, IdempotencyKey } from '../domain/idempotency.js'
import type { DocumentId, OwnerId } from '../domain/ids.js'
import type { Report } from '../domain/report.js'
import type { Revision } from '../domain/revision.js'
import type { Share } from '../domain/share.js'
import type { Principal, Snippet } from '../domain/snippet.js'
import {
  type DataContent,
  type DataDigest,
  type DataLocation,
  type DigestedData,
  documentGone,
  type StorageQuota,
} from '../domain/stored-data.js'

/** A check with the bytes of its candidate, and where they are while it is pending. */
export interface MemoryCheck extends MemoryRecord<Check> {
  readonly location: DataLocation | null
}

/** The contract of a snippet, and its last version; `null` after its removal. */
export interface MemoryContract {
  readonly contract: Contract | null
  readonly version: number
}

/** A record with its inline bytes; `null` if they are a document's, or purged. */
export interface MemoryRecord<Record> {
  readonly record: Record
  readonly bytes: Uint8Array | null
}

/** A replaced version of a snippet. */
export interface MemoryRevision extends MemoryRecord<Revision> {
  readonly replacedAt: Date
}

/** A snippet with its replaced versions, oldest first. */
export interface MemorySnippet extends MemoryRecord<Snippet> {
  /** Who made the current version. */
  readonly principal: Principal | null
  readonly revisions: readonly MemoryRevision[]
}

/** The registry entry of a document. */
export interface MemoryDocument {
  readonly ownerId: OwnerId
  readonly digest: DataDigest | null
  /** The size that a condemned document still counts with. */
  readonly sizeBytes: number
  readonly state: 'writing' | 'stored' | 'compared' | 'condemned'
  /** `null` while a record names it. */
  readonly unclaimedSince: Date | null
}

/** The state of an idempotency key. */
export interface MemoryKey {
  readonly holder: string
  readonly leaseUntil: Date
  readonly createdAt: Date
  /** `null` while its request runs. */
  readonly done: { readonly fingerprint: string; readonly response: string } | null
}

/** An event waiting for delivery. */
export interface MemoryDelivery {
  readonly event: ContentEvent
  readonly dueAt: Date
  readonly attempts: number
}

/** A report and its reporter. */
export interface MemoryReport {
  readonly report: Report
  readonly reporter: string
}

/** A share, and what opens and limits its gate. */
export interface MemoryShare extends MemoryRecord<Share> {
  readonly purged: boolean
  readonly passwordHash: string | null
  /** The times of the last wrong passwords, oldest first. */
  readonly failures: readonly Date[]
  /** The ends of its grants, by digest. */
  readonly grants: ReadonlyMap<string, Date>
  readonly importDigest: string | null
}

/** Counted views of a share. */
export interface MemoryViews {
  readonly views: number
  /** How many of them have been reported in an event. */
  readonly reported: number
  readonly dueAt: Date
}

/**
 * The state that memory adapters share, as Postgres adapters share a database; `now` is its clock, to the
 * millisecond.
 */
export interface MemoryState {
  readonly now: () => Date
  readonly snippets: Map<string, MemorySnippet>
  readonly shares: Map<string, MemoryShare>
  /** By the id of the snippet. */
  readonly contracts: Map<string, MemoryContract>
  readonly checks: Map<string, MemoryCheck>
  readonly documents: Map<DocumentId, MemoryDocument>
  readonly keys: Map<string, MemoryKey>
  /** By owner and id. */
  readonly deliveries: Map<string, MemoryDelivery>
  readonly views: Map<string, MemoryViews>
  readonly reports: Map<string, MemoryReport>
  readonly suspensions: Map<OwnerId, { readonly suspended: boolean; readonly version: number }>
  readonly erased: Set<OwnerId>
  readonly audit: MemoryAuditOutbox
}

/** An empty state. */
export function memoryState(now: () => Date): MemoryState {
  return {
    now,
    snippets: new Map(),
    shares: new Map(),
    contracts: new Map(),
    checks: new Map(),
    documents: new Map(),
    keys: new Map(),
    deliveries: new Map(),
    views: new Map(),
    reports: new Map(),
    suspensions: new Map(),
    erased: new Set(),
    audit: memoryAuditOutbox(now, 'content'),
  }
}

/** The key of an event in the map. */
export function deliveryName({ ownerId, id }: Pick<ContentEvent, 'ownerId' | 'id'>): string {
  return JSON.stringify([ownerId, id])
}

/** Adds an event to the outbox, unless it has one with this id. */
export function deliver(state: MemoryState, event: ContentEvent): void {
  const name = deliveryName(event)
  if (!state.deliveries.has(name)) state.deliveries.set(name, { event, dueAt: state.now(), attempts: 0 })
}

/** Adds an event to the outbox if `added` has just brought `used` to the point where the limit is near. */
export function deliverIfNear(
  state: MemoryState,
  ownerId: OwnerId,
  name: CountedLimit,
  limit: number | null,
  used: number,
  added = 1,
): void {
  if (limit === null || !becameNear(limit, used, added)) return
  deliver(state, limitNear(ownerId, name, used, limit, state.now()))
}

/** The same for the storage limit, after `added` bytes were stored. */
export function deliverIfStorageNear(
  state: MemoryState,
  ownerId: OwnerId,
  { bytesMax }: StorageQuota,
  added: number,
): void {
  deliverIfNear(state, ownerId, 'stored_bytes', bytesMax, storedBytesOf(state, ownerId), added)
}

/** The total bytes of an owner's data, and of the breaks of checks. */
export function storedBytesOf(state: MemoryState, ownerId: OwnerId): number {
  const records = [...state.snippets.values(), ...state.shares.values(), ...state.checks.values()]
  const revisions = [...state.snippets.values()].flatMap((snippet) =>
    snippet.record.ownerId === ownerId ? snippet.revisions : [],
  )
  const own = records.filter(({ record }) => record.ownerId === ownerId)
  const inline = [...own, ...revisions].map(({ bytes }) => bytes?.length ?? 0)
  const documents = [...state.documents.values()]
    .filter((document) => document.ownerId === ownerId && document.state !== 'compared')
    .map(({ digest, sizeBytes }) => digest?.sizeBytes ?? sizeBytes)
  const checks = [...state.checks.values()].filter(({ record }) => record.ownerId === ownerId)
  const breaks = checks.map(({ record }) => breaksBytes(record))
  return [...inline, ...breaks, ...documents].reduce((sum, bytes) => sum + bytes, 0)
}

/**
 * Checks that an owner was not erased and has room for more bytes.
 * @throws DomainError `not_found`; of the quota.
 */
export function takeRoom(state: MemoryState, ownerId: OwnerId, bytes: number, quota: StorageQuota): void {
  if (state.erased.has(ownerId))
    throw new DomainError('not-found', 'not_found', 'The account this belongs to no longer exists.')
  if (quota.bytesMax === null || bytes <= 0) return
  const actual = storedBytesOf(state, ownerId) + bytes
  if (actual > quota.bytesMax) throw quota.refuse(actual)
}

/** The bytes that new data adds with its record; a document was counted when it was complete. */
export function inlineSize(data: DigestedData | undefined): number {
  return data?.kind === 'inline' ? data.bytes.length : 0
}

/** The key of a record in the map. */
export function keyName({ ownerId, operation, key }: IdempotencyKey): string {
  return JSON.stringify([ownerId, operation, key])
}

function claimOf(state: MemoryState, data: DigestedData | undefined, ownerId: OwnerId): () => void {
  if (data?.kind !== 'document') return () => {}
  const document = state.documents.get(data.id)
  if (
    document === undefined ||
    document.ownerId !== ownerId ||
    document.unclaimedSince === null ||
    document.state !== 'stored'
  ) {
    throw documentGone()
  }
  return () => state.documents.set(data.id, { ...document, unclaimedSince: null })
}

function completionOf(state: MemoryState, completion: Completion | null, response: string): () => void {
  if (completion === null) return () => {}
  const { lease, fingerprint } = completion
  const held = state.keys.get(keyName(lease.key))
  if (held === undefined || held.holder !== lease.holder || held.done !== null)
    throw unavailable('The lease has been lost.')
  return () => state.keys.set(keyName(lease.key), { ...held, done: { fingerprint, response } })
}

/**
 * Claims the document of new data and completes an idempotent request: both or neither.
 * @throws DomainError `unavailable`.
 */
export function claimAndComplete(
  state: MemoryState,
  data: DigestedData | undefined,
  ownerId: OwnerId,
  completion: Completion | null,
  response: string,
): void {
  const claim = claimOf(state, data, ownerId)
  const complete = completionOf(state, completion, response)
  claim()
  complete()
}

/** Releases a document for the sweep. */
export function releaseDocument(state: MemoryState, location: DataLocation): void {
  const document = location.kind === 'document' ? state.documents.get(location.id) : undefined
  if (location.kind !== 'document' || document === undefined) return
  state.documents.set(location.id, { ...document, unclaimedSince: state.now() })
}

/** A copy of the inline bytes of new data. */
export function inlineBytes(data: DigestedData): Uint8Array | null {
  return data.kind === 'inline' ? Uint8Array.from(data.bytes) : null
}

/** The data for a reader. */
export function readDataOf(
  location: DataLocation,
  bytes: Uint8Array | null,
  included: boolean,
): DataContent | null {
  if (!included) return null
  if (location.kind === 'document') return { kind: 'document', id: location.id }
  return bytes === null ? null : { kind: 'inline', bytes }
}

/** Newest first by (creation, id). */
export function newestFirst(
  a: { readonly createdAt: Date; readonly id: string },
  b: { readonly createdAt: Date; readonly id: string },
): number {
  const byTime = b.createdAt.getTime() - a.createdAt.getTime()
  if (byTime !== 0) return byTime
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

import type { ChangeQuotas, Revision } from '../domain/revision.js'
import { changeSnippet, type Snippet, type SnippetChange } from '../domain/snippet.js'
import { type DataLocation, hasSameBytes } from '../domain/stored-data.js'
import {
  deliverIfStorageNear,
  inlineBytes,
  inlineSize,
  type MemoryRevision,
  type MemorySnippet,
  type MemoryState,
  releaseDocument,
  takeRoom,
} from './memory-state.js'

/** A version of a snippet; the current one if `isCurrent`. */
export function revisionOf({ record, principal }: MemorySnippet, isCurrent: boolean): Revision {
  const { id, version, tool, title, tags, digest, location, updatedAt } = record
  return { id, version, isCurrent, tool, title, tags, digest, location, createdAt: updatedAt, principal }
}

/** Releases a document unless the snippet or a revision of it still names it. */
export function releaseUnnamed(
  state: MemoryState,
  snippet: MemorySnippet | null,
  location: DataLocation,
): void {
  if (location.kind !== 'document') return
  const places = snippet === null ? [] : [snippet, ...snippet.revisions].map(({ record }) => record.location)
  const isNamed = places.some((one) => one.kind === 'document' && one.id === location.id)
  if (!isNamed) releaseDocument(state, location)
}

function sizeOf(revisions: readonly MemoryRevision[]): number {
  return revisions.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)
}

/**
 * Changes a snippet and keeps the replaced version, all or nothing. `commit` does the rest of the step and
 * may throw.
 * @throws DomainError of the quota; what `commit` throws.
 */
export function changeRecord(
  state: MemoryState,
  before: MemorySnippet,
  change: SnippetChange,
  { storage, revisions: revisionsMax }: ChangeQuotas,
  commit: (changed: Snippet) => void,
): Snippet {
  const now = state.now()
  const record = changeSnippet(before.record, change, now)
  const principal = change.principal ?? null
  const { data } = change
  if (data === undefined) {
    commit(record)
    state.snippets.set(record.id, { ...before, record, principal })
    return record
  }
  const replaced = { record: revisionOf(before, false), bytes: before.bytes, replacedAt: now }
  const all = [...before.revisions, replaced]
  const isSame = hasSameBytes(before.record.digest, data.digest)
  const revisions = isSame ? before.revisions : all.slice(Math.max(all.length - revisionsMax, 0))
  const grown = inlineSize(data) + sizeOf(revisions) - sizeOf(before.revisions) - (before.bytes?.length ?? 0)
  takeRoom(state, record.ownerId, grown, storage)
  commit(record)
  const after = { record, bytes: inlineBytes(data), principal, revisions }
  state.snippets.set(record.id, after)
  deliverIfStorageNear(state, record.ownerId, storage, grown)
  for (const { record: gone } of all) releaseUnnamed(state, after, gone.location)
  return record
}

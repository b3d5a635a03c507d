import type { ListPosition } from '#libs/core/page.js'
import { protectedBy, referencesOf } from '../domain/contract.js'
import { IdTaken, type OwnerId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import {
  etagsOf,
  nameTaken,
  newSnippet,
  type Snippet,
  searchWords,
  snippetToText,
} from '../domain/snippet.js'
import type { SnippetFilter, SnippetRead } from '../domain/snippet-reads.js'
import { etagOf, noStorageQuota, pageInlineBytesMax, type WithData } from '../domain/stored-data.js'
import type { SnippetPage, SnippetStore } from '../ports.js'
import { removeChecksOf } from './memory-check-store.js'
import { checkUnguarded } from './memory-contract-store.js'
import { changeRecord, releaseUnnamed } from './memory-snippet-change.js'
import {
  claimAndComplete,
  deliverIfNear,
  deliverIfStorageNear,
  inlineBytes,
  inlineSize,
  type MemoryRecord,
  type MemorySnippet,
  type MemoryState,
  newestFirst,
  readDataOf,
  takeRoom,
} from './memory-state.js'

function matches(snippet: Snippet, { ownerId, tool, tags, words, after }: SnippetFilter): boolean {
  const own = searchWords(snippet.title, ...snippet.tags)
  return (
    snippet.ownerId === ownerId &&
    (tool === null || snippet.tool === tool) &&
    tags.every((tag) => snippet.tags.includes(tag)) &&
    words.every((word) => own.includes(word)) &&
    (after === null || newestFirst(after, snippet) < 0)
  )
}

/** How many of these records fit on a page. */
function fitting(found: readonly MemoryRecord<Snippet>[], filter: SnippetFilter): number {
  if (!filter.includeData) return Math.min(found.length, filter.itemsMax)
  let dataBytes = 0
  let inline = 0
  for (const [index, { record, bytes }] of found.entries()) {
    inline += bytes?.length ?? 0
    const full = dataBytes > filter.dataBytesMax || inline > pageInlineBytesMax
    if (index >= filter.itemsMax || (full && index > 0)) return index
    dataBytes += record.digest.sizeBytes
  }
  return found.length
}

/** The ETags of a page's records and of the next one, which shows that there are more. */
function etagsOn(found: readonly MemoryRecord<Snippet>[], { itemsMax }: SnippetFilter): string {
  return etagsOf(found.slice(0, itemsMax + 1).map(({ record }) => record))
}

function pageOf(found: readonly MemoryRecord<Snippet>[], filter: SnippetFilter): SnippetPage {
  const kept = found.slice(0, fitting(found, filter))
  const last = kept.at(-1)?.record
  const next: ListPosition | null =
    last !== undefined && kept.length < found.length ? { createdAt: last.createdAt, id: last.id } : null
  const items = kept.map(({ record, bytes }) => ({
    record,
    data: readDataOf(record.location, bytes, filter.includeData),
  }))
  return { items, next, etags: etagsOn(found, filter) }
}

/** Snippets in memory, for tests. */
export function memorySnippetStore(state: MemoryState): SnippetStore {
  const { snippets } = state
  const countOf = (owner: OwnerId): number =>
    [...snippets.values()].filter(({ record }) => record.ownerId === owner).length
  const ofOwner = (owner: OwnerId, id: string): MemorySnippet | null => {
    const found = snippets.get(id)
    return found?.record.ownerId === owner ? found : null
  }
  const named = (owner: OwnerId, name: string | null | undefined): Snippet | undefined => {
    if (name == null) return undefined
    const all = [...snippets.values()].map(({ record }) => record)
    return all.find((record) => record.ownerId === owner && record.name === name)
  }
  const find = ({ ownerId, id, includeData }: SnippetRead): WithData<Snippet> | null => {
    const found = ofOwner(ownerId, id)
    if (found === null) return null
    return { record: found.record, data: readDataOf(found.record.location, found.bytes, includeData) }
  }
  const matching = (filter: SnippetFilter): readonly MemoryRecord<Snippet>[] =>
    [...snippets.values()]
      .filter(({ record }) => matches(record, filter))
      .sort((a, b) => newestFirst(a.record, b.record))
  return {
    async add(draft, limit, completion, storage = noStorageQuota) {
      if (limit !== null && countOf(draft.ownerId) >= limit) return null
      if (snippets.has(draft.id)) throw new IdTaken()
      if (named(draft.ownerId, draft.name) !== undefined) throw nameTaken(draft.name ?? '')
      if (!draft.mayApprove) checkUnguarded(state, draft.ownerId, referencesOf(draft))
      takeRoom(state, draft.ownerId, inlineSize(draft.data), storage)
      const record = newSnippet(draft, state.now())
      claimAndComplete(state, draft.data, draft.ownerId, completion, snippetToText(record))
      const principal = draft.principal ?? null
      snippets.set(record.id, { record, bytes: inlineBytes(draft.data), principal, revisions: [] })
      deliverIfNear(state, record.ownerId, 'snippets', limit, countOf(record.ownerId))
      deliverIfStorageNear(state, record.ownerId, storage, inlineSize(draft.data))
      return record
    },
    findAll: async (reads) => reads.map(find),
    findEtags: async (keys) =>
      keys.map(({ ownerId, id }) => {
        const found = ofOwner(ownerId, id)
        return found === null ? null : etagOf(found.record)
      }),
    findIds: async (keys) => keys.map(({ ownerId, name }) => named(ownerId, name)?.id ?? null),
    exists: async (id) => snippets.has(id),
    list: async (filter) => pageOf(matching(filter), filter),
    listEtags: async (filter) => etagsOn(matching(filter), filter),
    async change(owner, id, change, check, mayApprove, quotas = noChangeQuotas) {
      const found = ofOwner(owner, id)
      if (found === null) return null
      check(found.record)
      if (!mayApprove) checkUnguarded(state, owner, protectedBy(found.record, change))
      const other = named(owner, change.name)
      if (other !== undefined && other.id !== id) throw nameTaken(change.name ?? '')
      return changeRecord(state, found, change, quotas, () =>
        claimAndComplete(state, change.data, owner, null, ''),
      )
    },
    async remove(owner, id, check, mayApprove) {
      const found = ofOwner(owner, id)
      if (found === null) return false
      check(found.record)
      if (!mayApprove) checkUnguarded(state, owner, referencesOf(found.record))
      snippets.delete(id)
      removeChecksOf(state, id)
      for (const { record } of [found, ...found.revisions]) releaseUnnamed(state, null, record.location)
      return true
    },
    count: async (owner) => countOf(owner),
  }
}

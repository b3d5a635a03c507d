import { snippetRestored } from '../domain/content-event.js'
import { protectedBy, referencesOf } from '../domain/contract.js'
import { type Revision, revisionDaysMax, revisionNotFound } from '../domain/revision.js'
import { locationOf, type Snippet, type SnippetChange, snippetToText } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import type { RevisionStore } from '../ports.js'
import { checkUnguarded } from './memory-contract-store.js'
import { changeRecord, releaseUnnamed, revisionOf } from './memory-snippet-change.js'
import {
  claimAndComplete,
  deliver,
  inlineBytes,
  inlineSize,
  type MemoryRecord,
  type MemoryRevision,
  type MemorySnippet,
  type MemoryState,
  readDataOf,
  takeRoom,
} from './memory-state.js'

const dayMs = 86_400_000

/** Versions of snippets in memory, for tests. */
export function memoryRevisionStore(state: MemoryState): RevisionStore {
  const ofOwner = ({ ownerId, id }: SnippetKey): MemorySnippet | null => {
    const found = state.snippets.get(id)
    return found?.record.ownerId === ownerId ? found : null
  }
  const versionsOf = (key: SnippetKey): readonly MemoryRecord<Revision>[] => {
    const found = ofOwner(key)
    if (found === null) return []
    const current = { record: revisionOf(found, true), bytes: found.bytes }
    return [current, ...found.revisions.toReversed()]
  }
  const changeTo = ({ record }: MemoryRecord<Snippet>, version: number): SnippetChange => {
    if (version === record.version) return {}
    const found = versionsOf(record).find(({ record: one }) => one.version === version)
    if (found === undefined) throw revisionNotFound()
    const { tool, title, tags, digest, location } = found.record
    const data = readDataOf(location, found.bytes, true)
    if (data === null) throw new Error('a version without data')
    return { tool, title, tags, data: { ...data, digest } }
  }
  const isExpired = ({ replacedAt }: MemoryRevision): boolean =>
    replacedAt.getTime() <= state.now().getTime() - revisionDaysMax * dayMs
  return {
    async find(key, version, includeData) {
      const found = versionsOf(key).find(({ record }) => record.version === version)
      if (found === undefined) return null
      return { record: found.record, data: readDataOf(found.record.location, found.bytes, includeData) }
    },
    async list(key, before, itemsMax) {
      const found = versionsOf(key).map(({ record }) => record)
      return found.filter(({ version }) => before === null || version < before).slice(0, itemsMax)
    },
    async restore({ version, principal, mayApprove, ...key }, check, quotas, completion) {
      const found = ofOwner(key)
      if (found === null) return null
      check(found.record)
      const change = { ...changeTo(found, version), principal }
      if (!mayApprove) checkUnguarded(state, key.ownerId, protectedBy(found.record, change))
      const restored = changeRecord(state, found, change, quotas, (changed) =>
        claimAndComplete(state, undefined, key.ownerId, completion, snippetToText(changed)),
      )
      deliver(state, snippetRestored(restored, version, principal))
      return restored
    },
    async add(key, draft, mayApprove, { storage, revisions: revisionsMax }) {
      const found = ofOwner(key)
      if (found === null) return null
      if (versionsOf(key).some(({ record }) => record.version === draft.version)) return 'exists'
      const { data, ...fields } = draft
      if (draft.version > found.record.version || found.revisions.length >= revisionsMax) return 'not-kept'
      if (!mayApprove) checkUnguarded(state, key.ownerId, referencesOf(found.record))
      takeRoom(state, key.ownerId, inlineSize(data), storage)
      claimAndComplete(state, data, key.ownerId, null, '')
      const { digest } = data
      const record = {
        ...fields,
        id: key.id,
        isCurrent: false,
        digest,
        location: locationOf(data),
        principal: null,
      }
      const added = { record, bytes: inlineBytes(data), replacedAt: state.now() }
      const revisions = [...found.revisions, added].toSorted((a, b) => a.record.version - b.record.version)
      state.snippets.set(key.id, { ...found, revisions })
      return 'added'
    },
    async deleteExpired(limit) {
      let left = limit
      for (const [id, snippet] of state.snippets) {
        const expired = snippet.revisions.filter(isExpired).slice(0, left)
        left -= expired.length
        const revisions = snippet.revisions.filter((revision) => !expired.includes(revision))
        const after = { ...snippet, revisions }
        state.snippets.set(id, after)
        for (const { record } of expired) releaseUnnamed(state, after, record.location)
      }
      return limit - left
    },
  }
}

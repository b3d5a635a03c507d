import { isUnavailability } from '#libs/core/domain-error.js'
import { type Page, pageOf } from '#libs/core/page.js'
import { firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import { createKeyedQueue } from '#libs/runtime/keyed-queue.js'
import type { HistoryEntry } from '../domain/history-entry.js'
import { ownerId } from '../domain/ids.js'
import type { EntryFilter, HistoryStore } from '../ports.js'
import { type EntryRow, entryColumns, isVisible, restoreEntry } from './postgres-entry-row.js'
import { importEntries, knownEntries } from './postgres-import.js'
import { noteOwnersPlan, record, responses } from './postgres-record.js'
import { eraseOwner, purgeLapsed, removeEntries, removeEntry } from './postgres-removal.js'

const find = statement('history-find')(`
  SELECT ${entryColumns} FROM entry
  WHERE entry.owner_id = $1 AND entry.id = $2 AND ${isVisible('$1', '$3')}`)

const ownerOf = statement('history-owner')('SELECT entry.owner_id FROM entry WHERE entry.id = $1 LIMIT 1')
const count = statement('history-count')('SELECT owner.entry_count FROM owner WHERE owner.owner_id = $1')

/** A page, and one more entry to detect another page. */
function pageStatement({ ownerId: owner, visible, tool, after, itemsMax }: EntryFilter) {
  const values: unknown[] = [owner, itemsMax + 1]
  const name = ['history-list']
  const conditions = ['entry.owner_id = $1']
  const parameter = (value: unknown): string => `$${values.push(value)}`
  if (visible !== null) {
    name.push('visible')
    conditions.push(isVisible('$1', parameter(visible)))
  }
  if (tool !== null) {
    name.push('tool')
    conditions.push(`entry.tool = ${parameter(tool)}`)
  }
  if (after !== null) {
    name.push('after')
    const [time, id] = [parameter(after.createdAt), parameter(after.id)]
    conditions.push(`(entry.created_at, entry.id) < (${time}::timestamptz, ${id}::text)`)
  }
  const text = `
    SELECT ${entryColumns} FROM entry WHERE ${conditions.join(' AND ')}
    ORDER BY entry.created_at DESC, entry.id DESC LIMIT $2`
  return { name: name.join('-'), text, values }
}

async function list(pool: Pool, filter: EntryFilter): Promise<Page<HistoryEntry>> {
  const { rows } = await query<EntryRow>(pool, pageStatement(filter))
  return pageOf(rows.map(restoreEntry), filter.itemsMax)
}

export function postgresHistoryStore(pool: Pool): HistoryStore {
  // Work for the same row queues here, without holding sessions that others could use.
  const owners = createKeyedQueue(isUnavailability)
  return {
    record: (draft, plan, kept, request) =>
      owners.run(draft.ownerId, () => record(pool, draft, plan, kept, request)),
    importAll: (owner, entries, plan, kept) =>
      owners.run(owner, () => importEntries(pool, owner, entries, plan, kept)),
    known: (owner, ids) => knownEntries(pool, owner, ids),
    async find(owner, id, visible) {
      const row = await firstRow<EntryRow>(pool, find(owner, id, visible))
      return row === undefined ? null : restoreEntry(row)
    },
    async ownerOf(id) {
      const row = await firstRow<{ owner_id: string }>(pool, ownerOf(id))
      return row === undefined ? null : ownerId(row.owner_id)
    },
    list: (filter) => list(pool, filter),
    remove: (owner, id, visible) => removeEntry(pool, owner, id, visible),
    eraseOwner: (owner) => owners.run(owner, () => eraseOwner(pool, owner)),
    removeAll: (owner, tool) => removeEntries(pool, owner, tool),
    count: async (owner) =>
      Number((await firstRow<{ entry_count: string }>(pool, count(owner)))?.entry_count ?? 0),
    notePlan: (owner, plan) => noteOwnersPlan(pool, owner, plan),
    purgeLapsed: (kept, signal) => purgeLapsed(pool, kept, signal),
    deleteExpiredResponses: (signal) => responses.deleteExpired(pool, signal),
  }
}

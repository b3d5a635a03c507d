import type { EntryDraft } from '../domain/history-entry.js'
import { type EntryId, entryId, type OwnerId, ownerId } from '../domain/ids.js'
import type { EntryFilter, HistoryStore, KeptByPlan } from '../ports.js'

/** A history store on one technology. */
export interface ActivityFixture {
  readonly history: HistoryStore
  /** The same store, opened as by another process. */
  another(): HistoryStore
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

/** Two owners for every test. */
export const ann: OwnerId = ownerId('ann')
export const bob: OwnerId = ownerId('bob')

/** The limits of the plans in every test. */
export const kept: KeptByPlan = { free: 20, pro: null }

/** A signal that nothing aborts. */
export const never: AbortSignal = new AbortController().signal

/** Runs `work` this many times, fifty at once: more would wait for a session longer than the pool allows. */
export async function manyAtOnce<T>(
  times: number,
  work: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = []
  let started = 0
  const worker = async (): Promise<void> => {
    while (started < times) {
      const index = started
      started += 1
      results.push(await work(index))
    }
  }
  await Promise.all(Array.from({ length: 50 }, worker))
  return results
}

let made = 0

/** A draft of an entry; `fields` override its defaults. */
export function entryDraft(fields: Partial<EntryDraft> = {}): EntryDraft {
  made += 1
  // Ids in no order, as real ones are.
  const id: EntryId = entryId(`id${(made * 7_919) % 100_003}x${made}`)
  return { id, ownerId: ann, tool: 'csv', action: null, title: `n${made}`, metadata: null, ...fields }
}

/** All of Ann's entries on one page; `fields` narrow it. */
export function entryFilter(fields: Partial<EntryFilter> = {}): EntryFilter {
  return { ownerId: ann, visible: null, tool: null, after: null, itemsMax: 10_000, ...fields }
}

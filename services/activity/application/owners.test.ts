import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../domain/history-entry.js'
import { ann, bob, entryDraft, kept } from '../testing/activity-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { deleteEntry, getEntry } from './owned-entries.js'

let fixture: ReturnType<typeof memoryFixture>
let older: HistoryEntry
let newer: HistoryEntry
beforeEach(async () => {
  fixture = memoryFixture()
  const record = async (): Promise<HistoryEntry> => {
    const recorded = await fixture.history.record(entryDraft(), { plan: 'pro', version: 0 }, kept, null)
    if (recorded.state !== 'recorded') throw new Error('replayed instead of recorded')
    return recorded.entry
  }
  older = await record()
  newer = await record()
})

describe('an entry', () => {
  it('can be read and deleted by its owner', async () => {
    expect(await getEntry(fixture.ports, ann, newer.id, null)).toEqual(newer)
    await deleteEntry(fixture.ports, ann, newer.id, null)
    await expect(getEntry(fixture.ports, ann, newer.id, null)).rejects.toMatchObject({ code: 'not_found' })
    expect(await getEntry(fixture.ports, ann, older.id, null)).toEqual(older)
  })

  it('is denied to other users, and stays', async () => {
    await expect(getEntry(fixture.ports, bob, newer.id, null)).rejects.toMatchObject({ code: 'not_owner' })
    await expect(deleteEntry(fixture.ports, bob, newer.id, null)).rejects.toMatchObject({ code: 'not_owner' })
    expect(await getEntry(fixture.ports, ann, newer.id, null)).toEqual(newer)
  })

  it('hidden by a plan is unknown to its owner, and stays', async () => {
    await expect(getEntry(fixture.ports, ann, older.id, 1)).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteEntry(fixture.ports, ann, older.id, 1)).rejects.toMatchObject({ code: 'not_found' })
    expect(await getEntry(fixture.ports, ann, older.id, 2)).toEqual(older)
  })

  it('that never existed is unknown to everyone', async () => {
    const { id } = entryDraft()
    await expect(getEntry(fixture.ports, ann, id, null)).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteEntry(fixture.ports, bob, id, null)).rejects.toMatchObject({ code: 'not_found' })
  })
})

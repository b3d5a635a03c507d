import { describe, expect, it } from 'vitest'
import { draftEntry, type EntryDraft, entryFromText, entryToText, nextTime } from './history-entry.js'
import { entryId, ownerId } from './ids.js'

const draft: EntryDraft = {
  id: entryId('e'),
  ownerId: ownerId('o'),
  tool: 'csv',
  action: 'convert',
  title: 'Team',
  metadata: '{}',
}

function codesOf(fields: Partial<EntryDraft>): string[] {
  try {
    draftEntry({ ...draft, ...fields })
    return []
  } catch (error) {
    const { details } = error as { details: { errors: { pointer: string; code: string }[] } }
    return details.errors.map(({ pointer, code }) => `${pointer} ${code}`)
  }
}

describe('a history entry', () => {
  it('requires a tool; everything else is optional', () => {
    expect(draftEntry({ ...draft, action: null, title: null, metadata: null })).toMatchObject({ tool: 'csv' })
  })

  it('is rejected with all of its errors', () => {
    expect(
      codesOf({ tool: '-', action: ' ', title: 'x'.repeat(201), metadata: `"${'x'.repeat(16_383)}"` }),
    ).toEqual(['/tool invalid_format', '/action too_short', '/title too_long', '/metadata too_long'])
    expect(codesOf({ action: 'a\u0000', title: '\ud800' })).toEqual([
      '/action invalid_characters',
      '/title invalid_characters',
    ])
  })

  it('is measured in characters, and its metadata in bytes of UTF-8', () => {
    expect(codesOf({ title: '😀'.repeat(200), action: 'ü'.repeat(64) })).toEqual([])
    expect(codesOf({ metadata: `"${'x'.repeat(16_382)}"` })).toEqual([])
    expect(codesOf({ metadata: `"${'ü'.repeat(8_192)}"` })).toEqual(['/metadata too_long'])
  })

  it('is unchanged when it is written as text and read back', () => {
    const entry = { ...draft, title: null, createdAt: new Date('2030-01-01T00:00:00.123Z') }
    expect(entryFromText(entryToText(entry))).toEqual(entry)
  })

  it('is at least a millisecond later than the previous one', () => {
    const now = new Date(1_000)
    expect(nextTime(now, null, null)).toBe(now)
    expect(nextTime(now, new Date(999), new Date(998))).toBe(now)
    expect(nextTime(now, now, null)).toEqual(new Date(1_001))
    expect(nextTime(now, new Date(5_000), null)).toEqual(new Date(5_001))
    expect(nextTime(now, new Date(5_000), new Date(6_000))).toEqual(new Date(6_001))
  })
})

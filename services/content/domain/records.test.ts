import { describe, expect, it } from 'vitest'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { isId, ownerId, shareId, snippetId } from './ids.js'
import { newShare, shareFromText, shareToText } from './share.js'
import { changeSnippet, newSnippet, searchWords, snippetFromText, snippetToText } from './snippet.js'
import { wantedWords } from './snippet-reads.js'
import { checkDataSize, checkIfMatch, etagOf } from './stored-data.js'

const now = new Date('2030-01-01T00:00:00.123Z')
const limits = { ...testPlanLimits, dataBytes: 5_242_880, snippets: 15 }
const digest = { sizeBytes: 2, sha256: '0123456789abcdef'.repeat(4) }
const data = { kind: 'inline' as const, bytes: Buffer.from('{}'), digest }
const snippet = newSnippet(
  {
    id: snippetId('s'),
    ownerId: ownerId('o'),
    name: null,
    tool: 'csv',
    title: 'T',
    tags: ['a'],
    data,
    mayApprove: true,
  },
  now,
)

describe('a record', () => {
  it('restored from its text form is the same', () => {
    const share = newShare(
      { id: shareId('h'), ownerId: ownerId('o'), tool: 'csv', title: 'T', data, expiryBy: 'plan' },
      now,
      now,
    )
    expect(snippetFromText(snippetToText(snippet))).toEqual(snippet)
    for (const one of [share, { ...share, expiresAt: null }])
      expect(shareFromText(shareToText(one))).toEqual(one)
  })

  it('has a new ETag after every change, even if nothing else differs', () => {
    const changed = changeSnippet(snippet, { title: 'T' }, now)
    expect(etagOf(changed)).not.toBe(etagOf(snippet))
    expect(etagOf(snippet)).toMatch(/^[\w.]+$/)
  })

  it('that diverged after a backup was restored has another ETag', () => {
    const lost = changeSnippet(snippet, { title: 'Lost' }, new Date('2030-01-01T00:01:00.000Z'))
    const after = changeSnippet(snippet, { title: 'After' }, new Date('2030-01-01T00:02:00.000Z'))
    expect(etagOf(after)).not.toBe(etagOf(lost))
    expect(() => checkIfMatch(after, [etagOf(lost)])).toThrow(
      expect.objectContaining({ kind: 'precondition-failed' }),
    )
  })

  it('matches its own ETag in a list, `*`, and an empty list, and no other ETag', () => {
    for (const tags of [[], ['*'], ['x', etagOf(snippet)]])
      expect(() => checkIfMatch(snippet, tags)).not.toThrow()
    expect(() => checkIfMatch(snippet, ['x'])).toThrow(
      expect.objectContaining({ kind: 'precondition-failed' }),
    )
  })
})

describe('data', () => {
  it('may be exactly as large as the plan allows', () => {
    expect(() => checkDataSize(5_242_880, 'free', limits)).not.toThrow()
    expect(() => checkDataSize(5_242_881, 'free', limits)).toThrow(
      expect.objectContaining({
        kind: 'too-large',
        code: 'data_too_large',
        details: { limit: 5_242_880, actual: 5_242_881, plan: 'free' },
      }),
    )
  })
})

describe('search words', () => {
  it('are whole, lower-cased, normalised and unique', () => {
    expect(searchWords('Sales, ＳＡＬＥＳ—Q1/2030', 'ﬁnal übersicht')).toEqual([
      'sales',
      'q1',
      '2030',
      'final',
      'übersicht',
    ])
    expect(searchWords('e\u0301')).toEqual(searchWords('\u00e9'))
    expect(searchWords('—!\u0000')).toEqual([])
    expect(wantedWords(' ')).toEqual([])
    expect(wantedWords('—!')).toEqual([''])
    expect(wantedWords('— a')).toEqual(['a'])
  })
})

describe('an id', () => {
  it('consists of letters, digits, - and _; nothing else is looked up', () => {
    expect(['a', 'A-z_9'.repeat(12), '', 'a\u0000', 'a b', 'ä', '../a', 'a'.repeat(65)].map(isId)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

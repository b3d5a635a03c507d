import { describe, expect, it } from 'vitest'
import type { ComparisonJob } from '../domain/job.js'
import { compareDocuments } from './compare-documents.js'

const job: ComparisonJob = {
  kind: 'comparison',
  key: undefined,
  ignore: [],
  numbers: 'exact',
  quotes: 'strict',
  comment: undefined,
  skip: 0,
  format: 'changes',
  values: 'json',
  limit: 1_000,
}

function compared(a: string, b: string, changed: Partial<ComparisonJob> = {}) {
  const pieces = [...compareDocuments({ ...job, ...changed }, Buffer.from(a), Buffer.from(b))]
  const text = Buffer.concat(pieces).toString('utf8')
  return { pieces, text, json: JSON.parse(text) as Record<string, unknown> & { changes: unknown[] } }
}

/** A list of 1,000 values at the end of long keys. */
function nested(levels: number, key: string, value: number): string {
  return `${`{"${key}":`.repeat(levels)}[${Array(1_000).fill(value)}]${'}'.repeat(levels)}`
}

describe('the response of a comparison', () => {
  it('leaves out comments and what precedes tables of CSV, and keeps wrong quotes to the letter, if asked', () => {
    const options = { skip: 1, comment: '#', quotes: 'lenient' } as const
    const before = JSON.stringify({ csv: 'Report of Monday\n# 1\nid,n\n1,"x" y\n' })
    const after = JSON.stringify({ csv: 'Report of Tuesday\nid,n\n# 2\n1,"x" z\n' })
    expect(compared(before, after, options).json).toMatchObject({
      as: 'csv',
      summary: { changed: 1 },
      changes: [{ op: 'replace', pointer: '/0/n', from: '"x" y', to: '"x" z' }],
    })
    expect(compared(before, after).json).toMatchObject({ as: 'text' })
  })

  it.each([
    ['long keys', nested(400, 'k'.repeat(104), 1), nested(400, 'k'.repeat(104), 2)],
    ['wide keys', nested(400, '中'.repeat(61), 1), nested(400, '中'.repeat(61), 2)],
    ['escaped keys', nested(400, '\\u0001~/'.repeat(20), 1), nested(400, '\\u0001~/'.repeat(20), 2)],
  ])('lists at most 4 MiB of changes at the end of %s, and counts all', (_name, a, b) => {
    const { text, json } = compared(a, b)
    expect(Buffer.byteLength(text)).toBeLessThan(4.1 * 1_048_576)
    expect(json).toMatchObject({ equal: false, summary: { changed: 1_000 }, truncated: true })
    expect(json.changes.length).toBeGreaterThan(10)
  })

  it('comes in pieces of at most 64 KiB', () => {
    const { pieces } = compared(nested(100, 'key', 1), nested(100, 'key', 2))
    expect(pieces.length).toBeGreaterThan(2)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(65_536)
  })

  it('is complete if it is short', () => {
    const { json } = compared('{"a":1}', '{"a":2}')
    expect(json).toMatchObject({
      changes: [{ op: 'replace', pointer: '/a', from: 1, to: 2 }],
      truncated: false,
    })
  })

  it('as text bears 200,000 lines that all differ', () => {
    const lines = (letter: string): string => JSON.stringify({ text: `${letter}\n`.repeat(200_000) })
    const { json } = compared(lines('a'), lines('b'), { format: 'text' })
    expect(String(json.text).split('\n').length).toBeGreaterThan(400_000)
  })
})

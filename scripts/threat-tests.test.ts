import { describe, expect, it } from 'vitest'
import { findThreatProblems } from './threat-tests.js'

const files = [
  { path: 'gateway/a.test.ts', text: "it('refuses | what isn\\'t good', () => {})" },
  { path: 'e2e/b.e2e.test.ts', text: 'it(`of 50 rounds none fails`, () => {})' },
]

function table(lastCell: string, id = 'A1'): string {
  return `| id | threat | held by |\n| --- | --- | --- |\n| ${id} | a threat | ${lastCell} |\n`
}

describe('the table of threats', () => {
  it('passes when every row names existing tests', () => {
    const cell =
      "[refuses \\| what isn't good](../gateway/a.test.ts), [rounds none fails](../e2e/b.e2e.test.ts)"
    expect(findThreatProblems(table(cell), files)).toEqual([])
    expect(findThreatProblems(table('not tested: needs a real issuer'), files)).toEqual([])
  })

  it('fails when a row names a missing file or test', () => {
    expect(findThreatProblems(table('[gone](../gateway/gone.test.ts)'), files)).toEqual([
      'docs/threats.md: A1 names gateway/gone.test.ts, which does not exist',
    ])
    expect(findThreatProblems(table('[another promise](../gateway/a.test.ts)'), files)).toEqual([
      'docs/threats.md: A1 names "another promise", which is not in gateway/a.test.ts',
    ])
  })

  it('fails when a row names no test and gives no reason, is duplicated, or there is none', () => {
    expect(findThreatProblems(table('somebody will notice'), files)).toHaveLength(1)
    expect(findThreatProblems(table('not tested: x') + table('not tested: y'), files)).toEqual([
      'docs/threats.md: A1 is there twice',
    ])
    expect(findThreatProblems('', files)).toEqual(['docs/threats.md: has no rows'])
  })
})

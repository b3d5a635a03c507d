import { describe, expect, it } from 'vitest'
import { type JudgeOptions, judge } from './judge.js'
import { parseContract } from './parse-contract.js'

const encoder = new TextEncoder()

function verdictOf(
  baseline: string | null,
  candidate: string,
  rules: object = {},
  options: JudgeOptions = {},
) {
  const contract = parseContract(encoder.encode(JSON.stringify(rules)))
  const first = baseline === null ? null : encoder.encode(baseline)
  const { verdict, as, breaks } = judge(first, encoder.encode(candidate), contract, options)
  return { verdict, as, rules: breaks.map(({ rule }) => rule) }
}

describe('lines of NDJSON', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', '{"a":1},{"b":2}\n'],
    ['{"a":1}\n{"b":2}\n', '{"a":1}\n{"b":2\n}'],
    ['{"a":[1]}\n{"b":2}\n', '{"a":[1}\n]{"b":2}'],
  ])('are values one by one: %j against %j', (baseline, candidate) => {
    expect(verdictOf(baseline, candidate)).toEqual({ verdict: 'breaks', as: 'ndjson', rules: ['format'] })
  })

  it('may begin with a byte order mark, and hold any values if they are said to be lines', () => {
    expect(verdictOf('\ufeff{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":3}\n', { ignore: ['/*/a'] }).as).toBe(
      'ndjson',
    )
    expect(verdictOf('1\n2\n', '1\n2\n', {}, { as: 'ndjson' }).verdict).toBe('same')
  })
})

it('lines of text end before CR LF', () => {
  const tolerance = [{ path: '/*', absolute: '0.1' }]
  expect(verdictOf('a\r\n1.00\r\n', 'a\r\n1.01\r\n', { tolerance }, { as: 'text' }).verdict).toBe('allowed')
  const pattern = [{ path: '/0', matches: '^ok\\d*$' }]
  expect(verdictOf('ok1\r\n', 'ok2\r\n', { pattern }, { as: 'text' }).rules).not.toContain('pattern')
})

it('tables that are the same need no keys', () => {
  const table = 'id,v\n1,2\n1,3\n'
  expect(verdictOf(table, table, { keys: { '': ['id'] } }, { as: 'csv' }).verdict).toBe('same')
  expect(verdictOf(table, `${table}2,4\n`, { keys: { '': ['id'] } }, { as: 'csv' }).rules).toContain('keys')
})

it.each([
  ['<html>\n<p>Bad gateway</p>\n', { schema: { type: 'object' } }, {}],
  ['name,role\nAda,engineer\n', { schema: { type: 'object' } }, {}],
  ['Bad gateway\n', { compare: 'shape' }, {}],
  ['Bad gateway\n', {}, { as: 'json' }],
  ['Bad gateway\n', {}, { as: 'ndjson' }],
] as const)('a first candidate that is of no use to its contract breaks: %j', (candidate, rules, options) => {
  expect(verdictOf(null, candidate, rules, options)).toMatchObject({ verdict: 'breaks', rules: ['format'] })
})

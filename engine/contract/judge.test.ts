import { describe, expect, it } from 'vitest'
import { type JudgeOptions, judge } from './judge.js'
import { parseContract } from './parse-rules.js'

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

it('breaks with long names are listed with shortened pointers, and hide no others', () => {
  const key = 'k'.repeat(70_000)
  const [long, table] = [`/${'k'.repeat(999)}…`, `/*/${'k'.repeat(997)}…`]
  const listed = (one: string, other: string) => {
    const limits = { breakUnitsMax: 65_536 }
    const { breaks, truncated, counts } = judge(
      ...([encoder.encode(one), encoder.encode(other), parseContract(encoder.encode('{}')), limits] as const),
    )
    return { pointers: breaks.map(({ pointer }) => pointer), truncated, counts: counts.breaks }
  }
  const found = { truncated: true, counts: 2 }
  expect(listed('{"b":1}', `{"${key}":1,"b":2}`)).toEqual({ pointers: ['/b', long], ...found })
  expect(listed(`{"${key}":{"a":1},"b":1}`, `{"${key}":{"a":2},"b":2}`)).toEqual({
    ...{ pointers: [long, '/b'], ...found },
  })
  expect(listed('a,b\n1,2\n', `a,${key}\n1,2\n`)).toEqual({ pointers: ['/*/b', table], ...found })
})

it.each([
  [1_500, 1_500],
  [120_000, 100_000],
])('what a schema does not accept is counted beyond what is listed: %d', (length, counted) => {
  const rules = encoder.encode('{"schema":{"items":{"type":"string"}}}')
  const list = encoder.encode(JSON.stringify(Array.from({ length }, (_item, at) => at)))
  const { breaks, counts, truncated } = judge(list, list, parseContract(rules), { breaksMax: 2 })
  expect([breaks.length, counts, truncated]).toEqual([2, { breaks: counted, allowed: 0 }, true])
})

it('tables that are the same need no keys', () => {
  const table = 'id,v\n1,2\n1,3\n'
  expect(verdictOf(table, table, { keys: { '': ['id'] } }, { as: 'csv' }).verdict).toBe('same')
  expect(verdictOf(table, `${table}2,4\n`, { keys: { '': ['id'] } }, { as: 'csv' }).rules).toContain('keys')
})

describe('items that are to be compared without order', () => {
  const order = 'insignificant'
  it.each([
    ['[[1,2],[3,4]]', '[[4,3],[2,1]]'],
    ['[[1,2]]', '[[2,1]]'],
    ['{"a":[{"b":[1,[2,3]]},{"b":[]}]}', '{"a":[{"b":[]},{"b":[[3,2],1]}]}'],
    ['[{"a":[1,2],"b":0},5]', '[5,{"b":0,"a":[2,1]}]'],
    ['[{"a":[1,2],"a":3},5]', '[5,{"a":[2,1],"a":3}]'],
    ['{"a":[1,2],"a":3}', '{"a":[2,1],"a":3}'],
    ['[[1,2],[1,2],[2,1]]', '[[2,1],[2,1],[1,2]]'],
  ])('are the same in any order at every depth: %s', (baseline, candidate) => {
    expect(verdictOf(baseline, candidate, { order })).toMatchObject({ verdict: 'allowed' })
    expect(verdictOf(baseline, candidate).verdict).toBe('breaks')
    expect(verdictOf(baseline, baseline, { order }).verdict).toBe('same')
  })

  it.each([
    ['[[1,1,2]]', '[[1,2,2]]'],
    ['[[],{}]', '[{},{}]'],
    ['[{"a":[1],"b":[2]}]', '[{"a":[2],"b":[1]}]'],
    ['[{"a":[1,2],"a":3}]', '[{"a":3,"a":[2,1]}]'],
    ['[[1,[2]]]', '[[1,2]]'],
    ['[["1"]]', '[[1]]'],
  ])('are not the same with others: %s', (baseline, candidate) => {
    expect(verdictOf(baseline, candidate, { order }).verdict).toBe('breaks')
  })

  it('are reported without those that only are elsewhere', () => {
    expect(verdictOf('[[1,2],[3],9]', '[8,[3],[2,1]]', { order }).rules).toEqual(['value'])
  })
})

describe('objects whose only member is a text of several lines', () => {
  const [one, two] = ['{"note":"a\\nb"}', '{"note":"a\\nc"}']
  it.each([
    [one, two, { ignore: ['/note'] }, 'json', []],
    [one, '{"other":"a\\nb"}', {}, 'json', ['removed', 'added']],
    [one, '"a\\nb"', {}, 'json', ['value']],
    [one, two, { schema: { required: ['note'] } }, 'json', ['value']],
    [one, two, { compare: 'shape' }, 'json', []],
    [one, two, { pattern: [{ path: '/note', matches: '^a' }] }, 'json', []],
    [one, two, { ignore: ['/1'] }, 'text', []],
    [one, two, {}, 'text', ['value']],
    ['a\nb', one, {}, 'text', []],
    [
      '{"csv":"id,n\\n1,2\\n3,4\\n"}',
      '{"csv":"id,n\\n3,5\\n1,2\\n"}',
      { keys: { '': ['id'] }, tolerance: [{ path: '/*/n', absolute: '1' }], order: 'insignificant' },
      'csv',
      [],
    ],
    ['{"json":"{\\"a\\":1}"}', '{"json":"{\\"a\\":2}"}', { ignore: ['/a'] }, 'json', []],
    ['{"json":"{x\\ny"}', '{"json":"{x\\nz"}', { ignore: ['/json'] }, 'json', []],
  ])(
    'are judged as what the contract is about: %s against %s by %j',
    (baseline, candidate, rules, as, broken) => {
      expect(verdictOf(baseline, candidate, rules)).toMatchObject({ as, rules: broken })
    },
  )

  const held = (text: string, key = 'text'): string => JSON.stringify({ [key]: text })
  const [table, lines, json] = ['id,n\n1,2\n', '{"a":1}\n{"a":2}\n', '{"a":1}']
  it.each([
    [table, held(table), 'csv'],
    [held(table), table, 'csv'],
    [held(table), held(table), 'csv'],
    [lines, held(lines), 'ndjson'],
    [held(lines), lines, 'ndjson'],
    [held(lines), held(lines), 'ndjson'],
    [json, held(json), 'json'],
    [held(json), json, 'json'],
    [JSON.stringify(table), JSON.stringify(table), 'csv'],
    [JSON.stringify(lines), lines, 'ndjson'],
  ])('are judged as what they hold, by both or by one: %s against %s', (baseline, candidate, as) => {
    expect(verdictOf(baseline, candidate)).toMatchObject({ verdict: 'same', as })
    expect(verdictOf(baseline, candidate, { compare: 'shape' })).toMatchObject({ verdict: 'same', as })
    const other = candidate.replace(/\d(?=\D*$)/, '9')
    expect(verdictOf(baseline, other, { compare: 'shape' }).verdict).toBe('allowed')
    expect(verdictOf(baseline, other)).toMatchObject({ verdict: 'breaks', as })
    expect(verdictOf(baseline, held('<html>\nBad gateway\n'), { compare: 'shape' }).verdict).toBe('breaks')
  })

  it.each([
    [held(table, 'note'), { compare: 'shape', ignore: ['/note'] }, 'json'],
    [held(table, 'note'), { compare: 'shape', ignore: ['/*/note'] }, 'csv'],
    [held(table), { schema: { required: ['text'] } }, 'json'],
    [held(lines), { schema: { required: ['text'] } }, 'ndjson'],
    [held(lines, 'log'), { pattern: [{ path: '/log', matches: '^.' }] }, 'json'],
  ])(
    'are JSON if the contract names the member, or can only be about it: %s by %j',
    (baseline, rules, as) => {
      expect(verdictOf(baseline, baseline, rules)).toMatchObject({ as })
    },
  )

  it('are tables to what is only of JSON, as tables by themselves are', () => {
    const refused = expect.objectContaining({ name: 'ContractError', pointer: '/schema' })
    const rules = { compare: 'shape', schema: { required: ['text'] } }
    for (const text of [table, held(table)]) expect(() => verdictOf(text, text, rules)).toThrow(refused)
  })

  it('are JSON to a first candidate’s schema', () => {
    expect(verdictOf(null, one, { schema: { required: ['note'] } })).toMatchObject({
      verdict: 'new',
      as: 'json',
    })
  })
})

it.each([
  ['a,b\n1,2\n', { ignore: ['/*/b', '/1/a'] }, '/ignore/1', 'whole columns'],
  ['a,b\n1,2\n', { ignore: ['/*'] }, '/ignore/0', 'whole columns'],
  ['a,b\n1,2\n', { ignore: [''] }, '/ignore/0', 'whole columns'],
  ['a,b\n1,2\n', { ignore: ['/*/a/b'] }, '/ignore/0', 'whole columns'],
  ['some\ntext\n', { ignore: ['/0', '/rows/*/id'] }, '/ignore/1', 'lines'],
  ['some\ntext\n', { ignore: [''] }, '/ignore/0', 'lines'],
])(
  'what cannot be ignored is refused, and breaks in a first candidate: %j by %j',
  (text, rules, pointer, said) => {
    const message = expect.stringContaining(said)
    expect(() => verdictOf(text, text, rules)).toThrow(
      expect.objectContaining({ name: 'ContractError', pointer, message }),
    )
    expect(verdictOf(null, text, rules)).toMatchObject({ verdict: 'breaks', rules: ['format'] })
  },
)

it.each([
  [{ type: 'objekt' }, '/type'],
  [{ properties: { 'a/b': { items: { minimum: 'x' } } } }, '/properties/a~1b/items/minimum'],
  [{ properties: { a: { $ref: '#/$defs/none' } } }, '/properties/a/$ref'],
  [{ propertyNames: { pattern: '(?=x)' } }, '/propertyNames/pattern'],
])('a wrong schema is refused with its place: %j', (schema, pointer) => {
  const document = '{"a":1,"a/b":[1]}'
  expect(() => verdictOf(document, document, { schema })).toThrow(
    expect.objectContaining({ name: 'ContractError', pointer: `/schema${pointer}` }),
  )
  const options = { schema: encoder.encode(JSON.stringify(schema)) }
  expect(() => verdictOf(document, document, { schema: { snippet: '@s' } }, options)).toThrow(
    expect.objectContaining({
      pointer: '/schema/snippet',
      message: expect.stringContaining(`In the schema: ${pointer}.`),
    }),
  )
})

it.each([
  ['{"a":1,"b":[2]}', '{"b":[2],"a":9}', { ignore: ['/a'] }, 'allowed'],
  ['{"a":1,"b":[2]}', ' {"b":[2],"a":1}', { ignore: ['/a'] }, 'same'],
  ['{"a":1,"b":[2]}', '{"b":[2]}', { ignore: ['/a'] }, 'allowed'],
  ['{"a":1}', '{"a":2}', { compare: 'shape' }, 'allowed'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', { compare: 'shape' }, 'same'],
  ['[[1]]', '[[1],[1]]', { compare: 'shape' }, 'allowed'],
  ['{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":3}\n', { ignore: ['/1'] }, 'allowed'],
  ['{"a":1}\n{"a":2}\n', '{"a":1}\n\n{"a": 2}', { ignore: ['/1'] }, 'same'],
  ['id,at\n1,2\n', 'at,id\n2,1\n', { ignore: ['/*/at'] }, 'same'],
  ['id,at\n1,2\n', 'id\n1\n', { ignore: ['/*/at'] }, 'allowed'],
  ['made at 1\nb\n', 'made at 2\nb\n', { ignore: ['/0'] }, 'allowed'],
])(
  'what is not looked at is allowed to differ: %j against %j by %j',
  (baseline, candidate, rules, verdict) => {
    expect(verdictOf(baseline, candidate, rules)).toMatchObject({ verdict, rules: [] })
  },
)

describe('an ignored item', () => {
  it('needs no key, and counts for none', () => {
    const rules = { ignore: ['/rows/0'], keys: { '/rows': ['id'] } }
    const rows = (...items: unknown[]): string => JSON.stringify({ rows: items })
    const [one, two] = [
      { id: 2, v: 1 },
      { id: 3, v: 1 },
    ]
    expect(verdictOf(rows({ x: 1 }, one, two), rows({ x: 2 }, one, two), rules).rules).toEqual([])
    expect(verdictOf(rows(one, one), rows(5, one), rules).rules).toEqual([])
    expect(verdictOf(rows(one, one, two), rows(two, two, one), rules).rules).toEqual(['order'])
    expect(verdictOf(rows({ x: 1 }, one), rows({ x: 1 }, { id: 2, v: 2 }), rules).rules).toEqual(['value'])
    expect(verdictOf(rows({ x: 1 }, { y: 1 }), rows({ x: 1 }, { y: 2 }), rules).rules).toContain('keys')
  })
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

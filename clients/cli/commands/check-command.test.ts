import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { run } from '../run.js'
import { testTerminal } from '../testing/test-terminal.js'

const breaks = [
  { pointer: '/7/price', rule: 'tolerance', baseline: '3.10', candidate: '3.50' },
  { pointer: '', rule: 'format', baseline: null, candidate: null, message: 'This is no\tJSON.' },
]
const judged = {
  id: 'c1',
  url: 'https://s.example/checks/c1',
  verdict: 'breaks',
  state: 'pending',
  counts: { breaks: 1_203, allowed: 12 },
  breaks: [...breaks, ...Array.from({ length: 98 }, (_, at) => ({ ...breaks[0], pointer: `/${at}` }))],
  version: null,
  baseline_version: 3,
  contract_version: 1,
  title: 'Prices',
  expires_at: '2026-12-28T08:00:00.000Z',
}

let server: JsonServer
let asked: string[]
let answer: object

beforeAll(async () => {
  server = await startJsonServer((path) => {
    asked.push(path)
    return path === '/config.json' ? { public_base_url: 'https://s.example', share_base_url: '' } : answer
  })
})
afterAll(() => server.stop())
beforeEach(() => {
  asked = []
  answer = judged
})

async function ran(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const test = testTerminal(false, {
    input: 'id,price\n',
    env: { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k', ...env },
  })
  const code = await run([...args, '--no-retry'], test.terminal)
  return { code, out: test.out(), err: test.err() }
}

it('breaks are a table, with how many more there are and the link, and end with 1', async () => {
  const { code, out, err } = await ran(['check', '-', '--against', '@prices'])
  const lines = out.split('\n')
  expect(code).toBe(1)
  expect(lines.slice(0, 4)).toEqual([
    'breaks: 1,203 breaks, 12 allowed',
    'RULE       PLACE      BASELINE  CANDIDATE  REASON',
    'tolerance  /7/price   3.10      3.50',
    'format     the whole                       This is no JSON.',
  ])
  expect(lines.slice(-3)).toEqual(['and 1,183 more breaks', 'https://s.example/checks/c1', ''])
  expect(lines).toHaveLength(25)
  expect(err).toContain('It waits for approval until 2026-12-28')
  expect(asked).toEqual(['/api/snippets/@prices/checks'])
})

it.each([
  ['same', 'accepted', 3, 'Version 3 has these bytes.'],
  ['allowed', 'accepted', 4, 'It is version 4 now.'],
  ['allowed', 'pending', null, 'It waits for approval'],
  ['new', 'pending', null, 'It waits for approval'],
])('a candidate that is %s and %s ends with 0 and says what became of it', async (...row) => {
  const [verdict, state, version, said] = row
  answer = { ...judged, verdict, state, version, counts: { breaks: 0, allowed: 0 }, breaks: [] }
  const { code, out, err } = await ran(['check', '-', '--against', '@prices'])
  const found =
    verdict === 'new'
      ? 'no snippet is called @prices yet; approving this output creates it. Is the name right?'
      : '0 breaks, 0 allowed'
  expect([code, out]).toEqual([0, `${verdict}: ${found}\nhttps://s.example/checks/c1\n`])
  expect(err).toContain(said)
})

it('without a contract the report says why everything breaks', async () => {
  answer = { ...judged, contract_version: null }
  const { code, out } = await ran(['check', '-', '--against', '@prices'])
  expect([code, out.split('\n')[0]]).toEqual([
    1,
    'breaks: 1,203 breaks, 12 allowed; @prices has no contract, so every difference breaks',
  ])
})

it('the place of a break is whole on a narrow terminal', async () => {
  const pointer = '/regions/north-east/products/12/price'
  const values = { baseline: 'before '.repeat(20), candidate: 'after '.repeat(20) }
  answer = { ...judged, breaks: [{ pointer, rule: 'value', ...values }] }
  const test = testTerminal(true, {
    input: 'id,price\n',
    columns: 70,
    env: { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k', NO_COLOR: '1' },
  })
  await run(['check', '-', '--against', '@prices', '--no-retry'], test.terminal)
  const [, , row = ''] = test.out().split('\n')
  expect(row).toMatch(/^value {2}\/regions\/north-east\/products\/12\/price {2}before.*… {2}after.*…$/)
  expect(row.length).toBeLessThanOrEqual(70)
})

it('a check says what is to be accepted, and which job of GitHub or GitLab made it', async () => {
  const check = ['check', '-', '--against', '@prices', '--accept', 'allowed', '--key', 'csv', '--json']
  const github = { GITHUB_SERVER_URL: 'https://g.example', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' }
  expect(JSON.parse((await ran(check, github)).out)).toEqual(judged)
  await ran(check, { CI_JOB_URL: 'https://l.example/-/jobs/8' })
  const queries = asked.map((path) => Object.fromEntries(new URL(path, server.url).searchParams))
  expect(queries).toEqual([
    { accept: 'allowed', key: 'csv', source: 'https://g.example/a/b/actions/runs/7' },
    { accept: 'allowed', key: 'csv', source: 'https://l.example/-/jobs/8' },
  ])
})

it('whatever keeps an output from being judged ends with 2', async () => {
  expect((await ran(['check', '-'])).err).toContain('--against @nightly-report')
  for (const args of [
    ['-'],
    ['-', '--against', '@prices', '--accept', 'breaks'],
    ['missing.csv', '--against', '@prices'],
    ['-', '--against', '@prices', '--server', 'http://127.0.0.1:1'],
  ])
    expect((await ran(['check', ...args])).code, args.join(' ')).toBe(2)
  answer = { hello: 'world' }
  expect((await ran(['check', '-', '--against', '@prices'])).code).toBe(2)
})

it('a check is decided by its id or the URL of its page, on this server alone', async () => {
  answer = { ...judged, state: 'approved', version: 4 }
  for (const reference of ['c1', 'https://s.example/checks/c1', `${server.url}/checks/c1`])
    expect(await ran(['approve', reference, '--note', 'seen'])).toMatchObject({ code: 0, out: '4\n' })
  expect(await ran(['reject', 'c1'])).toMatchObject({ code: 0, out: '', err: 'Rejected "Prices".\n' })
  expect(asked.filter((path) => path !== '/config.json')).toEqual([
    ...Array(3).fill('/api/checks/c1/approve'),
    '/api/checks/c1/reject',
  ])
  for (const elsewhere of ['https://evil.example/checks/c1', 'https://s.example/s/c1'])
    expect((await ran(['approve', elsewhere])).code).toBe(2)
})

it('rules are printed byte for byte, and refused where a terminal would obey them', async () => {
  const rules = '{\t"ignore": ["/a\u200d\u202e\u009b"],\r\n "schema": {"maximum": 1.10}}'
  answer = Buffer.from(`{"snippet_id":"s","rules":${rules},"version":1}`)
  const show = ['contract', 'show', '@prices']
  expect(await ran(show)).toMatchObject({ code: 0, out: `${rules}\n` })
  expect((await ran([...show, '--json'])).out).toBe(
    `{\n  "snippet_id": "s",\n  "rules": ${rules},\n  "version": 1\n}\n`,
  )
  expect((await ran([...show, '--json=rules'])).out).toBe(`{\n  "rules": ${rules}\n}\n`)
  const env = { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k' }
  const terminal = testTerminal(true, { env })
  expect([await run(show, terminal.terminal), terminal.out()]).toEqual([1, ''])
  expect(terminal.err()).toContain('control a terminal')
})

it('rules are set from a file or standard input', async () => {
  answer = { snippet_id: 's', rules: { ignore: ['/at'] }, version: 1 }
  expect(await ran(['contract', 'show', '@prices'])).toMatchObject({ code: 0, out: '{"ignore":["/at"]}\n' })
  const set = await ran(['contract', 'set', '@prices', '-'])
  expect([set.code, set.err]).toEqual([0, 'Version 1 of the contract of @prices holds from now on.\n'])
})

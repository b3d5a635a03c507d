import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { run } from './run.js'
import { testTerminal } from './testing/test-terminal.js'

const hourMs = 3_600_000
const ids = ['rZAApimavIe4RHcY1CnKxr', 'MgCTPCWfX4SCsrxLFQEuGz']
const createdAt = new Date(Date.now() - 2.5 * hourMs).toISOString()
const items = ids.map((id, index) => ({
  id,
  ...(index === 0 ? { name: 'nightly' } : {}),
  tool: 'csv',
  title: `日本語 ${'long '.repeat(20)}`,
  size_bytes: 1_130_265,
  created_at: createdAt,
}))

const report = {
  id: 'r',
  created_at: createdAt,
  reason: 'spam',
  times: 1,
  share: { id: ids[0], state: 'live' },
}

let server: JsonServer
let asked: string[] = []
let total: unknown

beforeAll(async () => {
  server = await startJsonServer((path) => {
    asked.push(path)
    if (path.startsWith('/api/auth/profile')) return { usage: { snippets: total } }
    const limit = Number(new URL(path, 'http://a').searchParams.get('limit'))
    if (path.startsWith('/api/operator/reports'))
      return { reports: Array.from({ length: limit }, () => report), next_cursor: 'more' }
    return { snippets: path.includes('tool=none') ? [] : items.slice(0, limit), next_cursor: null }
  })
})
afterAll(() => server.stop())

async function listed(
  args: readonly string[],
  terminal: Parameters<typeof testTerminal>[1] & { readonly isTTY?: boolean; readonly total?: unknown } = {},
) {
  asked = []
  total = 'total' in terminal ? terminal.total : 401
  const env = { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k', ...terminal.env }
  const test = testTerminal(terminal.isTTY ?? true, { columns: 100, ...terminal, env })
  expect(await run(['list', ...args], test.terminal), test.err()).toBe(0)
  return { out: test.out(), err: test.err() }
}

async function lastLine(args: readonly string[]): Promise<string | undefined> {
  const env = { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k', NO_COLOR: '1' }
  const test = testTerminal(true, { columns: 100, env })
  expect(await run(args, test.terminal), test.err()).toBe(0)
  return test.out().trimEnd().split('\n').at(-1)
}

it('a terminal shows a head, relative times and how many there are', async () => {
  const { out } = await listed(['-L', '1'], { env: { NO_COLOR: '1' } })
  expect(out).toBe(
    [
      'ID                      NAME      TOOL    SIZE  CREATED      TITLE',
      'rZAApimavIe4RHcY1CnKxr  @nightly  csv   1.1 MB  2 hours ago  日本語 long long long long long long l…',
      'Showing 1 of 401 snippets; --limit COUNT for more.\n',
    ].join('\n'),
  )
})

it('a filtered list does not say how many there are', async () => {
  const { out } = await listed(['-L', '1', '-t', 'csv'], { env: { NO_COLOR: '1' } })
  expect(out).toContain('\nShowing the first of several snippets; --limit COUNT for more.\n')
})

it.each(['\u001b]0;x\u0007', '401', 1.5, null, {}])(
  'a total that is no number is ignored: %j',
  async (sent) => {
    const { out } = await listed(['-L', '1'], { total: sent, env: { NO_COLOR: '1' } })
    expect(out).toContain('\nShowing the first of several snippets; --limit COUNT for more.\n')
    expect(out).not.toContain('\u001b')
  },
)

it('the most that a command shows has no hint to ask for more', async () => {
  expect(await lastLine(['operator', 'reports', '--limit', '100'])).toBe('Showing the first 100 reports.')
  expect(await lastLine(['operator', 'reports', '--limit', '99'])).toBe(
    'Showing the first 99 reports; --limit COUNT for more.',
  )
})

it('a whole list, and a quiet one, has no last line', async () => {
  expect((await listed([])).out).not.toContain('Showing')
  expect((await listed(['-L', '1', '--quiet'])).out).not.toContain('Showing')
})

it('an empty list says so', async () => {
  expect(await listed(['-t', 'none'])).toEqual({ out: '', err: 'No snippets.\n' })
  expect(await listed(['-t', 'none'], { isTTY: false })).toEqual({ out: '', err: '' })
})

it.each([
  [{}, true],
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ CLICOLOR_FORCE: '1', FORCE_COLOR: '0' }, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
])('with %j it has colours: %s', async (env, has) => {
  const { out } = await listed([], { env })
  expect(out.includes('\u001b[1mID\u001b[22m')).toBe(has)
})

it('a pipe gets plain columns, whatever is forced, by one request', async () => {
  const { out } = await listed(['-L', '2'], { isTTY: false, env: { FORCE_COLOR: '1' } })
  const day = createdAt.slice(0, 10)
  const title = items[0]?.title.trimEnd()
  expect(out).toBe(
    `${ids[0]}  @nightly  csv  1.1 MB  ${day}  ${title}\n${ids[1]}            csv  1.1 MB  ${day}  ${title}\n`,
  )
  expect(asked).toEqual([expect.stringMatching(/[?&]limit=2(&|$)/)])
})

it('--json is exact on a terminal, too', async () => {
  const { out } = await listed(['--json=id,created_at', '-L', '1'])
  expect(JSON.parse(out)).toEqual([{ id: ids[0], created_at: createdAt }])
})

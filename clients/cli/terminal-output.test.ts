import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { run } from './run.js'
import { printableStart } from './terminal.js'
import { testTerminal } from './testing/test-terminal.js'

const hostile = '\u001b]0;pwned\u0007\u001b[31m\u009b0m\u007f'
const id = 'rZAApimavIe4RHcY1CnKxr'

let server: JsonServer
let folder: string
let text = hostile

/** A server of a stranger: everything that it says controls a terminal. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-output-'))
  server = await startJsonServer((path) => {
    if (/\/raw(\?|$)/.test(path) || path === '/api/text') return Buffer.from(text)
    if (path.startsWith('/api/missing')) return 404
    const item = {
      id: hostile,
      title: hostile,
      tool: hostile,
      name: hostile,
      action: hostile,
      email: hostile,
      created_at: hostile,
      prefix: hostile,
      scopes: [hostile],
      principal: { kind: hostile, id: null, label: hostile },
      size_bytes: 1,
    }
    return {
      ...item,
      usage: {},
      limits: {},
      next_cursor: null,
      snippets: [item],
      history: [item],
      keys: [item],
      revisions: [item],
    }
  })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  text = hostile
})

function running(args: readonly string[], isTTY: boolean, input = '') {
  const env = { SNIPKEEP_SERVER: server.url, SNIPKEEP_KEY: 'k', XDG_CONFIG_HOME: folder, NO_COLOR: '1' }
  const test = testTerminal(isTTY, { input, env })
  return { ...test, code: run(args, test.terminal) }
}

const json = `{"a":${JSON.stringify(`\u009b\u007f`).replaceAll('\\u009b', '\u009b')}}`
const share = (): string => `${server.url}/s/${id}`

/** Commands that write content, and what they make of it. */
const contentCommands: readonly (readonly [string, () => readonly string[], string, () => string])[] = [
  ['get', () => ['get', share()], '', () => hostile],
  ['get of a snippet', () => ['get', '@mine', '-p', '/csv'], '', () => hostile],
  ['api', () => ['api', 'GET', '/api/text'], '', () => hostile],
  ['tool', () => ['tool', 'json-minify', '-'], json, () => json],
  ['convert', () => ['convert', 'json', 'csv', '-'], `[${json}]`, () => 'a\n\u009b\u007f\n'],
  [
    'diff',
    () => ['diff', share(), '-', '-f', 'json-patch'],
    '{}',
    () => '[{"op":"remove","path":"/\u009b"}]\n',
  ],
]

describe.each(contentCommands)('%s', (name, args, input, expected) => {
  beforeEach(() => {
    if (name === 'diff') text = '{"\u009b":1}'
  })

  it('writes no control characters to a terminal, and says what to do', async () => {
    const { code, out, err } = running(args(), true, input)
    expect(await code).toBe(name === 'diff' ? 2 : 1)
    expect([out(), err()]).toEqual(['', expect.stringMatching(/-o FILE.*--raw/)])
  })

  it('writes them to a terminal with --raw, and to a pipe', async () => {
    const raw = running([...args(), '--raw'], true, input)
    await raw.code
    expect(raw.out().replace(/\n$/, '')).toBe(expected().replace(/\n$/, ''))
    const piped = running(args(), false, input)
    await piped.code
    expect(piped.out()).toBe(expected())
  })

  it('writes them to a file with -o', async () => {
    const to = join(folder, name)
    const { code, out } = running([...args(), '-o', to], true, input)
    await code
    expect([out(), await readFile(to, 'utf8')]).toEqual(['', expected()])
  })
})

it.each([
  ['list'],
  ['list', '--json'],
  ['revisions', '@mine'],
  ['history', 'list'],
  ['key', 'list'],
  ['whoami'],
  ['whoami', '--json'],
  ['save', '-', '-t', 'csv'],
  ['restore', '@mine@1'],
  ['diff', 'SHARE', '-'],
  ['diff', 'SHARE', '-', '-f', 'changes'],
  ['diff', 'SHARE', '-', '-f', 'summary'],
  ['__complete', '--', 'get', '@'],
])('%s %s %s %s never controls a terminal', async (...words) => {
  const args = words.map((word) => (word === 'SHARE' ? share() : word))
  const { code, out, err } = running(args, true, 'text')
  await code
  expect(out()).not.toBe('')
  expect((out() + err()).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

it('JSON keeps what it holds, whatever a terminal would make of it', async () => {
  const { code, out } = running(['whoami', '--json=email'], true)
  await code
  expect(JSON.parse(out())).toEqual({ email: hostile })
})

it('of a long value only the beginning is shown, never half of a character', () => {
  expect(printableStart(`${'a'.repeat(199)}😀b`)).toBe(`${'a'.repeat(199)}…`)
  expect(printableStart(`${'a'.repeat(198)}😀b`)).toBe(`${'a'.repeat(198)}😀…`)
  expect(printableStart('\u001b[31m😀')).toBe(' [31m😀')
})

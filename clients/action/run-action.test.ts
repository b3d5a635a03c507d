import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { runAction } from './run-action.js'

const judged = {
  ...{ id: 'c1', url: 'https://s.example/checks/c1', verdict: 'allowed', state: 'pending' },
  ...{
    counts: { breaks: 0, allowed: 1 },
    breaks: [],
    version: null,
    baseline_version: 3,
    contract_version: 1,
  },
}

let server: JsonServer
let folder: string
let asked: string[]
let check: object
let share: unknown

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  await writeFile(join(folder, 'prices.csv'), 'sku,price\n')
  server = await startJsonServer((path) => {
    asked.push(path)
    return path.includes('/checks') ? check : share
  })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  check = judged
  share = { id: 'x', share_url: 'https://s.example/s/x', expires_at: null, warnings: [] }
})

async function step(inputs: Readonly<Record<string, string>> = {}) {
  const [summary, output] = [join(folder, 'summary'), join(folder, 'output')]
  for (const path of [summary, output]) await writeFile(path, '')
  const given = {
    server: server.url,
    key: 'snk_x',
    file: join(folder, 'prices.csv'),
    check: '@prices',
    ...inputs,
  }
  const env = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  let log = ''
  const code = await runAction({ ...env, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output }, (text) => {
    log += text
  })
  return { code, log, summary: await readFile(summary, 'utf8'), output: await readFile(output, 'utf8') }
}

it('a verdict is published though the file could not be shared', async () => {
  share = 403
  const { code, log, summary, output } = await step()
  expect([code, log]).toEqual([1, expect.stringContaining(': allowed, https://s.example/checks/c1\n')])
  expect(log.indexOf('Checked ')).toBeLessThan(log.indexOf('::error::'))
  expect(summary).toContain('**allowed**, breaks: 0, allowed: 1. It waits for approval')
  expect(output).toMatch(/^verdict<<end-.*\nallowed\n/m)
  expect(output).toMatch(/^check_url<<end-.*\nhttps:\/\/s\.example\/checks\/c1\n/m)
})

it('a file that breaks its contract is not shared', async () => {
  expect((await step()).log).toContain('Shared ')
  asked = []
  check = { ...judged, verdict: 'breaks', counts: { breaks: 1, allowed: 0 } }
  const { code, log } = await step()
  expect([code, asked.filter((path) => path.startsWith('/api/shares'))]).toEqual([1, []])
  expect(log).toContain('breaks the contract of @prices')
})

it('what breaks and what could not be saved are both annotated', async () => {
  share = 403
  check = { ...judged, verdict: 'breaks', counts: { breaks: 1, allowed: 0 } }
  const { code, log } = await step({ name: 'copy' })
  expect([code, log.match(/^::error::/gm)]).toEqual([1, ['::error::', '::error::']])
})

it('where there is no contract, the report says that everything breaks', async () => {
  check = { ...judged, verdict: 'breaks', counts: { breaks: 1, allowed: 0 }, contract_version: null }
  const { summary, log } = await step()
  expect(summary).toContain('`@prices` has no contract, so every difference breaks.')
  expect(log).toContain('differs from @prices, which has no contract.')
})

it('check and save get the same title, and accept needs check', async () => {
  await step({ title: 'All\n the  prices', share: 'false' })
  const titles = asked.map((path) => new URL(path, server.url).searchParams.get('title'))
  expect(titles).toEqual(['All the prices'])
  const { code, log } = await step({ check: '', accept: 'never' })
  expect([code, log]).toEqual([1, expect.stringContaining('accept goes with check')])
  expect((await step({ check: 'prices' })).log).toContain('check "prices" is no id; write @prices for a name')
})

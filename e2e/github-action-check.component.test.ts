import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runStep, type Step } from './harness/action-runner.js'
import type { ApiClient } from './harness/api-client.js'
import { type FakeGithub, startFakeGithub } from './harness/fake-github.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let github: FakeGithub
let owner: ApiClient
let folder: string
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  ;[system, github] = await Promise.all([startSystem(), startFakeGithub()])
  owner = await system.user('uma', 'pro')
  const made = await owner.post('/api/keys', { name: 'ci', scopes: ['write'] })
  key = made.json<{ key: string }>().key
})
afterAll(async () => {
  await Promise.all([system?.stop(), github?.stop()])
  await rm(folder, { recursive: true, force: true })
})

async function step(text: string, inputs: Record<string, string> = {}): Promise<Step> {
  await writeFile(join(folder, 'prices.csv'), text)
  const sha = 'abcdef0123456789abcdef0123456789abcdef01'
  github.pulls.set(5, { head: 'ada:feature', sha })
  const pull = { number: 5, head: { sha, repo: { id: 7 } }, base: { repo: { id: 7 } } }
  return runStep(folder, {
    inputs: {
      ...{ server: system.baseUrl(), key, file: 'prices.csv', share: 'false', check: '@Prices' },
      'github-token': github.token('github-actions[bot]', true),
      ...inputs,
    },
    event: 'pull_request',
    payload: { pull_request: pull },
    env: { GITHUB_API_URL: github.url, GITHUB_GRAPHQL_URL: `${github.url}/graphql` },
  })
}

async function approve({ outputs }: Step): Promise<void> {
  const id = outputs.check_url?.split('/').at(-1)
  expect((await owner.post(`/api/checks/${id}/approve`, {})).status).toBe(200)
}

it('a step fails on what breaks the contract, shows it where people look, and passes once it is approved', async () => {
  const first = await step('sku,price\na,1.00\nb,`x|\n')
  expect([first.code, first.outputs.verdict]).toEqual([0, 'new'])
  expect(first.summary).toContain('**new**, breaks: 0, allowed: 0. It waits for approval: [the check](http')
  await approve(first)
  const rules = { keys: { '': ['sku'] }, tolerance: [{ path: '/*/price', relative: '1%' }] }
  expect((await owner.request('PUT', '/api/snippets/@prices/contract', { body: rules })).status).toBe(201)

  const broken = await step('sku,price\na,1.50\nb,<img src=x>\n')
  expect([broken.code, broken.outputs.verdict]).toEqual([1, 'breaks'])
  expect(broken.annotations.at(-1)).toBe(
    `error: prices.csv breaks the contract of @prices. If it is right, approve it and run the job again: ${broken.outputs.check_url}`,
  )
  const table = [
    '| rule | place | baseline | candidate | reason |',
    '| --- | --- | --- | --- | --- |',
    '| tolerance | `/0/price` | `1.00` | `1.50` |  |',
    '| tolerance | `/1/price` | `` `x\\| `` | `<img src=x>` |  |',
  ].join('\n')
  expect(broken.summary).toContain(table)
  expect(github.comments[0]?.body).toContain(table)
  const { source } = (await owner.get(`/api/checks/${broken.outputs.check_url?.split('/').at(-1)}`)).json<{
    source: string
  }>()
  expect(source).toBe('https://github.com/ada/tools/actions/runs/77')
  await approve(broken)

  const again = await step('sku,price\na,1.50\nb,<img src=x>\n')
  expect([again.code, again.outputs.verdict]).toEqual([0, 'same'])
  expect(again.summary).toContain('Version 2 has these bytes.')
  const allowed = await step('sku,price\na,1.51\nb,<img src=x>\n', { accept: 'allowed' })
  expect([allowed.code, allowed.outputs.verdict]).toEqual([0, 'allowed'])
  expect(allowed.summary).toContain('It is version 3 now')
})

it('a step that would go around its own check is refused', async () => {
  const refused = await step('sku\n', { name: 'prices' })
  expect([refused.code, refused.annotations.join()]).toEqual([1, expect.stringContaining('leave out name')])
  const files = await step('sku\n', { file: '', files: 'prices.csv' })
  expect(files.annotations.join()).toContain('check goes with file')
})

it('a step that fails on the way reports the verdict, in the comment that the next run updates', async () => {
  const secret = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  const inputs = { check: '@partly', name: 'partly-copy', share: 'true' }
  const failed = await step(`token\n${secret}\n`, inputs)
  expect([failed.code, failed.outputs.verdict, failed.outputs.name]).toEqual([1, 'new', 'partly-copy'])
  expect(failed.annotations.at(-1)).toContain('secret_found')
  const own = () => github.comments.filter(({ body }) => body.startsWith('<!-- snipkeep:partly-copy -->'))
  expect(own().map(({ body }) => body)).toEqual([expect.stringContaining('**new**')])
  expect((await step('token\n', inputs)).code).toBe(0)
  expect(own().map(({ body }) => body)).toEqual([expect.stringContaining('[open](')])
})

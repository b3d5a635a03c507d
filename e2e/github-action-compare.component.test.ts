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
let user: ApiClient
let folder: string
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  ;[system, github] = await Promise.all([startSystem(), startFakeGithub()])
  user = await system.user('uma', 'pro')
  const made = await user.post('/api/keys', { name: 'ci', scopes: ['read', 'write'] })
  key = made.json<{ key: string }>().key
})
afterAll(async () => {
  await Promise.all([system?.stop(), github?.stop()])
  await rm(folder, { recursive: true, force: true })
})

async function step(inputs: Record<string, string>, event = 'push', payload: unknown = {}): Promise<Step> {
  return runStep(folder, {
    inputs: {
      server: system.baseUrl(),
      key,
      'github-token': github.token('github-actions[bot]', true),
      ...inputs,
    },
    event,
    payload,
    env: { GITHUB_API_URL: github.url, GITHUB_GRAPHQL_URL: `${github.url}/graphql` },
  })
}

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

it('shows what differs from another snippet, and fails if that is wanted', async () => {
  const main = await write('compared.csv', 'id,price\n1,1.0\n2,5\n')
  expect((await step({ file: main, name: 'prices-main' })).code).toBe(0)
  const file = await write('compared.csv', 'id,price\n1,1.00\n2,5\n3,```x\n')
  const inputs = { file, name: 'prices-pr', compare: '@Prices/Main', 'fail-on': 'change' }
  const sha = 'abcdef0123456789abcdef0123456789abcdef01'
  github.pulls.set(5, { head: 'ada:feature', sha })
  const pull = { number: 5, head: { sha, repo: { id: 7 } }, base: { repo: { id: 7 } } }
  const changed = await step(inputs, 'pull_request', { pull_request: pull })
  expect([changed.code, changed.outputs.equal]).toEqual([1, 'false'])
  expect(changed.annotations.join()).toContain('compared.csv differs from @prices-main')
  const [comment] = github.comments
  expect(comment?.body).toContain('Differs from `@prices-main`: +1 −0 ~1 rows')
  expect(comment?.body).toContain('~ 1 price: 1.0 → 1.00')
  expect(comment?.body).toMatch(/\n````text\n[\s\S]*```x[\s\S]*\n````(\n|$)/)
  expect((await user.get('/api/snippets/@prices-pr/raw?pointer=/csv')).text).toContain('1.00')
  const page = new URL(changed.outputs.diff_url ?? '')
  expect([page.pathname, page.searchParams.get('a'), page.searchParams.get('b')]).toEqual([
    '/compare',
    '@prices-main',
    '@prices-pr',
  ])
  expect(comment?.body).toContain(`([show all](${page.href}))`)
  await write('compared.csv', 'id,price\n1,1.0\n2,5\n')
  const same = await step({ ...inputs, share: 'false' })
  expect([same.code, same.outputs.equal]).toEqual([0, 'true'])
  expect(same.summary).toContain('Same as `@prices-main`.')
})

it('links the public page that compares two shares', async () => {
  const file = await write('shared.csv', 'id\n1\n')
  const { share_url: link = '' } = (await step({ file })).outputs
  await write('shared.csv', 'id\n2\n')
  const { outputs } = await step({ file, compare: link })
  const ids = [link, outputs.share_url ?? ''].map((url) => url.split('/').at(-1))
  expect([outputs.equal, new URL(outputs.diff_url ?? '').pathname]).toEqual([
    'false',
    `/s/${ids[0]}/compare/${ids[1]}`,
  ])
  const page = await fetch(outputs.diff_url ?? '')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="comparison"')])
  expect((await step({ file, compare: link, share: 'false' })).outputs).toMatchObject({
    equal: 'false',
    diff_url: '',
  })
})

it('compares each of several files with what its line names', async () => {
  const [one, other] = [await write('one-of.csv', 'id\n1\n'), await write('other-of.csv', 'id\n2\n')]
  await step({ file: one, name: 'one-of', share: 'false' })
  const files = `${one} | csv | one-pr | @one-of\n${other} | csv | other-pr | @one-of\n${other}`
  const { code, outputs, summary } = await step({ files })
  expect(code).toBe(0)
  const results: readonly Record<string, string>[] = JSON.parse(outputs.results ?? '[]')
  expect(results.map(({ equal }) => equal)).toEqual(['true', 'false', ''])
  expect(results.map(({ diff_url: url }) => url !== '')).toEqual([true, true, false])
  expect(summary).toContain('`one-of.csv`: same as `@one-of`.')
  expect(summary).toContain('`other-of.csv`: differs from `@one-of`: +0 −0 ~1 lines')
  expect((await step({ files, 'fail-on': 'change' })).annotations.join()).toContain(
    'other-of.csv differs from',
  )
})

it('says when there is nothing to compare with, and compares before it replaces', async () => {
  const file = await write('first.csv', 'a\n1\n')
  const inputs = { file, name: 'baseline', compare: '@baseline', share: 'false' }
  const first = await step(inputs)
  expect([first.code, first.outputs.equal]).toEqual([0, ''])
  expect(first.summary).toContain('Not compared with `@baseline`: nothing to compare with yet.')
  await write('first.csv', 'a\n2\n')
  expect((await step(inputs)).outputs).toMatchObject({ equal: 'false', changed: 'true', diff_url: '' })
})

it('refuses inputs that make no sense together', async () => {
  const file = await write('inputs.csv', 'a\n')
  const wrong: readonly [Record<string, string>, string][] = [
    [{ file, 'fail-on': 'change' }, 'needs compare'],
    [{ file, name: 'a', compare: '@a', 'fail-on': 'change' }, 'a name other than the one in compare'],
    [{ files: file, compare: '@a' }, 'compare goes with file'],
    [{ file, compare: '@a', 'fail-on': 'often' }, 'fail-on must be never or change'],
  ]
  for (const [inputs, message] of wrong) {
    const { code, annotations } = await step(inputs)
    expect([code, annotations.join()]).toEqual([1, expect.stringContaining(message)])
  }
})

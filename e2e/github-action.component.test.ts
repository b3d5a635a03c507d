import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runStep, type Step } from './harness/action-runner.js'
import type { ApiClient } from './harness/api-client.js'
import { type FakeGithub, startFakeGithub } from './harness/fake-github.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const bot = 'github-actions[bot]'
const sha = 'abcdef0123456789abcdef0123456789abcdef01'

let system: SystemInProcess
let github: FakeGithub
let user: ApiClient
let folder: string
let key: string
let token: string
let seen: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  ;[system, github] = await Promise.all([startSystem(), startFakeGithub()])
  user = await system.user('uma', 'pro')
  key = await newKey(['read', 'write'])
  token = github.token(bot, true)
})
afterAll(async () => {
  await Promise.all([system?.stop(), github?.stop()])
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  const all = [...seen, ...github.comments.map(({ body }) => body)].join('\n')
  expect(all).not.toMatch(/snk_\w|ghs_\w/)
  seen = []
  github.comments.length = 0
  github.pulls.clear()
  github.requests.length = 0
})

async function newKey(scopes: readonly string[]): Promise<string> {
  return (await user.post('/api/keys', { name: 'ci', scopes })).json<{ key: string }>().key
}

interface Job {
  readonly event?: string
  readonly payload?: unknown
  readonly env?: Record<string, string>
}

async function step(
  inputs: Record<string, string>,
  { event = 'push', payload = {}, env = {} }: Job = {},
): Promise<Step> {
  const ran = await runStep(folder, {
    inputs: { server: system.baseUrl(), key, 'github-token': token, ...inputs },
    event,
    payload,
    env: { GITHUB_API_URL: github.url, GITHUB_GRAPHQL_URL: `${github.url}/graphql`, ...env },
  })
  seen.push(ran.visible)
  return ran
}

/** A pull request from a branch of the repository itself, or from a fork. */
function pullRequest(number: number, from: 'branch' | 'fork' = 'branch'): Job {
  github.pulls.set(number, { head: from === 'fork' ? 'eve:patch' : 'ada:feature', sha })
  const head = { sha, repo: { id: from === 'fork' ? 8 : 7 } }
  return { event: 'pull_request', payload: { pull_request: { number, head, base: { repo: { id: 7 } } } } }
}

async function write(name: string, text: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

async function textOf(path: string): Promise<string> {
  return (await user.get(`${path}/raw?pointer=/csv`)).text
}

it('saves a file under its name on every push, shares it, and reports whether it has changed', async () => {
  const file = await write('report.csv', 'a,b\r\n1,2\r\n')
  const inputs = { file, name: 'Report/Main', title: 'Report', expires: '30d' }
  const first = await step(inputs)
  expect([first.code, first.annotations]).toEqual([0, []])
  expect(first.outputs).toMatchObject({ name: 'report-main', changed: 'true' })
  expect(await textOf('/api/snippets/@report-main')).toBe('a,b\r\n1,2\r\n')
  const page = await fetch(first.outputs.share_url ?? '')
  expect([page.status, await (await fetch(first.outputs.raw_url ?? '')).text()]).toEqual([
    200,
    'a,b\r\n1,2\r\n',
  ])
  expect(first.summary).toContain(`[open](${first.outputs.share_url})`)
  expect(first.summary).toContain(`${first.outputs.summary}`)
  const second = await step(inputs)
  expect(second.outputs).toMatchObject({ id: first.outputs.id, changed: 'false' })
  await write('report.csv', 'a,b\r\n1,3\r\n')
  expect((await step(inputs)).outputs).toMatchObject({ id: first.outputs.id, changed: 'true' })
  expect(github.requests).toEqual([])
})

it('does not share a file that holds a secret, unless the step says so', async () => {
  const secret = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  const file = await write('secret.csv', `token\n${secret}\n`)
  const refused = await step({ file })
  expect([refused.code, refused.outputs.share_url]).toEqual([1, undefined])
  expect(refused.annotations[0]).toContain('secret_found')
  const warned = await step({ file, secrets: 'warn' })
  expect([warned.code, warned.annotations[0]]).toEqual([0, expect.stringContaining('at /csv: ghp_…Lq17')])
  const published = await step({ file, secrets: 'off' })
  expect([published.code, published.annotations]).toEqual([0, []])
  expect((await fetch(published.outputs.raw_url ?? '')).status).toBe(200)
})

it('comments on a pull request once, and updates only its own comment', async () => {
  const job = pullRequest(12)
  const file = await write('own.csv', 'a\n')
  const marker = '<!-- snipkeep:own -->'
  const foreign = (n: number) => ({ id: 1_000 + n, pullRequest: 12, author: 'eve', body: `${marker}\nmine` })
  github.comments.push(...Array.from({ length: 150 }, (_, n) => foreign(n)))
  const first = await step({ file, name: 'own' }, job)
  expect([first.code, first.annotations]).toEqual([0, []])
  const second = await step({ file, name: 'own' }, job)
  const own = github.comments.filter(({ author }) => author === bot)
  expect(own.map(({ body }) => body)).toEqual([`${marker}\n${second.outputs.summary}`])
  expect(own[0]?.body).toContain('unchanged')
  expect(own[0]?.body).toContain('abcdef012345')
  expect(
    github.comments.filter(({ author }) => author === 'eve').every(({ body }) => body.endsWith('mine')),
  ).toBe(true)
})

it('saves several files with one comment, and shares without a name', async () => {
  await write('one.csv', 'a')
  await write('two.txt', 'b')
  const ran = await step({ files: 'one.csv | to-csv | first\n\n two.txt \n' }, pullRequest(3))
  expect(ran.code).toBe(0)
  const results = JSON.parse(ran.outputs.results ?? '') as Record<string, string>[]
  expect(results.map(({ path, name, changed }) => [path, name, changed])).toEqual([
    ['one.csv', 'first', 'true'],
    ['two.txt', '', ''],
  ])
  expect(github.comments).toHaveLength(1)
  expect(github.comments[0]?.body.match(/\[open\]/g)).toHaveLength(2)
})

it('does not fail in a fork, and says why nothing was saved', async () => {
  const before = (await user.get('/api/shares')).text
  const none = {
    server: '',
    key: '',
    'github-token': github.token(bot, false),
    file: 'report.csv',
    name: 'fork',
  }
  for (const job of [
    pullRequest(5, 'fork'),
    { ...pullRequest(6), env: { GITHUB_ACTOR: 'dependabot[bot]' } },
  ]) {
    const ran = await step(none, job)
    expect([ran.code, ran.outputs]).toEqual([0, {}])
    expect(ran.summary).toMatch(
      /Nothing was saved\. This .* (fork|Dependabot), and GitHub gives such a run no secrets and no ID token/,
    )
    expect(ran.annotations).toEqual([`notice: ${ran.summary.trim()}`])
  }
  expect([github.requests, (await user.get('/api/shares')).text]).toEqual([[], before])
  expect((await step({ ...none, server: system.baseUrl() }, pullRequest(7))).annotations).toEqual([
    'error: Set trust to the id of a trusted publisher (tp_…), or key to an API key from a secret.',
  ])
})

it('saves without a comment if the token may not write, and fails only if a comment is required', async () => {
  const file = await write('read.csv', 'a')
  const inputs = { file, 'github-token': github.token(bot, false) }
  const ran = await step(inputs, pullRequest(8, 'fork'))
  expect([ran.code, ran.annotations]).toEqual([0, [expect.stringContaining('pull-requests: write')]])
  expect(ran.summary).toContain('No comment: the job')
  expect((await step({ ...inputs, comment: 'always' }, pullRequest(8))).code).toBe(1)
  const silent = await step({ ...inputs, comment: 'never' }, pullRequest(8))
  expect([silent.code, silent.annotations]).toEqual([0, []])
})

it('comments from a second workflow on a fork’s pull request, while its commit is the latest', async () => {
  pullRequest(9, 'fork')
  const file = await write('fork.csv', 'a')
  const run = {
    event: 'pull_request',
    head_sha: sha,
    head_branch: 'patch',
    head_repository: { owner: { login: 'eve' } },
  }
  const ran = await step({ file }, { event: 'workflow_run', payload: { workflow_run: run } })
  expect([ran.code, github.comments.map((comment) => comment.pullRequest)]).toEqual([0, [9]])
  const late = await step(
    { file },
    { event: 'workflow_run', payload: { workflow_run: { ...run, head_sha: 'old' } } },
  )
  expect([late.code, github.comments.length]).toEqual([0, 1])
  expect(late.summary).toContain('moved on to another commit')
})

it('never runs on pull_request_target', async () => {
  const ran = await step({ file: 'report.csv' }, { ...pullRequest(1), event: 'pull_request_target' })
  expect([ran.code, ran.annotations]).toEqual([
    1,
    [expect.stringContaining('does not run on pull_request_target')],
  ])
})

it('shows titles as plain text, whatever they contain', async () => {
  const file = await write('odd.csv', 'a')
  const title = '`` ](x) <img src=x> @everyone | #1\n::error::x'
  const ran = await step({ file, title }, pullRequest(4))
  expect([ran.code, ran.annotations]).toEqual([0, []])
  expect(github.comments[0]?.body).toContain('- ``` `` ](x) <img src=x> @everyone | #1 ::error::x ```')
})

it('reports everything wrong with its inputs', async () => {
  const ran = await step({
    server: 'http://snippets.example',
    file: 'a',
    files: 'b',
    expires: 'soon',
    share: 'maybe',
  })
  expect(ran.code).toBe(1)
  for (const problem of ['https://', 'set file, or files', '"soon"', 'share must be true or false'])
    expect(ran.annotations.join()).toContain(problem)
  const lost = await step({ file: 'missing.csv' })
  expect(lost.annotations).toEqual(['error: There is no file missing.csv. Does an earlier step write it?'])
})

it('reports the server’s errors verbatim, and needs no right to read', async () => {
  const file = await write('latin1.csv', Buffer.from([0x61, 0xe4]))
  expect((await step({ file })).annotations.join()).toMatch(/\[malformed_text, request [0-9a-f-]{36}\]/)
  expect((await step({ file, key: 'snk_wrong' })).annotations.join()).toContain('[invalid_api_key, ')
  await write('plain.csv', 'a')
  const writing = { file: 'plain.csv', name: 'plain', key: await newKey(['write']) }
  await step(writing)
  expect((await step(writing)).outputs.changed).toBe('')
  expect((await step({ ...writing, key: await newKey(['read']) })).annotations.join()).toContain(
    '[insufficient_scope, ',
  )
})

it('masks its secrets, even if a server repeats them', async () => {
  const echo = createServer((request, response) => {
    const detail = `You sent ${request.headers['x-api-key']}.`
    request.resume().on('end', () => {
      response.writeHead(400, { 'Content-Type': 'application/problem+json' })
      response.end(JSON.stringify({ status: 400, code: 'validation_failed', title: 'Bad', detail }))
    })
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const file = await write('echo.csv', 'a')
  const ran = await step({ file, server: `http://127.0.0.1:${(echo.address() as AddressInfo).port}` })
  echo.closeAllConnections()
  await new Promise((resolve) => echo.close(resolve))
  expect(ran.masked).toEqual(expect.arrayContaining([key, token]))
  expect(ran.annotations.join()).toContain('You sent ***.')
})

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { areInstalled } from '#libs/testing/programs.js'
import { runStep, type Step } from './harness/action-runner.js'
import type { ApiClient } from './harness/api-client.js'
import { type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { type FakeGithub, startFakeGithub } from './harness/fake-github.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let github: FakeGithub
let issuer: FakeCiIssuer
let user: ApiClient
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  await writeFile(join(folder, 'report.csv'), 'a,b\n')
  issuer = await startFakeCiIssuer(githubClaims, 'github')
  github = await startFakeGithub((audience) => issuer.token(audience))
  system = await startSystem({ env: { CI_ISSUERS: `github=github+${issuer.url}` } })
  user = await system.user('kay', 'pro')
})
afterAll(async () => {
  await Promise.all([system?.stop(), github?.stop(), issuer?.stop()])
  await rm(folder, { recursive: true, force: true })
})

async function newRule(fields: object = {}): Promise<string> {
  const claims = { repository_id: '74', repository_owner_id: '65' }
  const rule = { name: 'action', issuer: 'github', repository: 'acme/website', claims, ...fields }
  return (await user.post('/api/trusted-publishers', rule)).json<{ id: string }>().id
}

/** A step of a job, with or without permission for an ID token. */
async function step(inputs: Record<string, string>, mayProve = true, payload: unknown = {}): Promise<Step> {
  const ran = await runStep(folder, {
    inputs: { server: system.baseUrl(), file: 'report.csv', name: 'keyless', ...inputs },
    event: payload === null ? 'push' : 'pull_request',
    payload,
    env: mayProve ? github.idTokenEnv : {},
  })
  expect(ran.visible).not.toMatch(/snx_\w|eyJ\w/)
  return ran
}

it('a job saves and shares without a secret, and its token is revoked with the step', async () => {
  const trust = await newRule()
  const ran = await step({ trust })
  expect([ran.code, ran.annotations]).toEqual([0, []])
  expect((await user.get('/api/snippets/@keyless/raw?pointer=/csv')).text).toBe('a,b\n')
  const tokens = ran.masked.filter((secret) => secret.startsWith('snx_'))
  expect(tokens).toHaveLength(1)
  expect((await system.withKey(tokens[0] ?? '').get('/api/snippets')).status).toBe(401)
})

it('a fork has no ID token either: nothing fails, and the job summary says why', async () => {
  const head = { sha: 'abc', repo: { id: 8 } }
  const payload = { pull_request: { number: 1, head, base: { repo: { id: 7 } } } }
  const ran = await step({ trust: 'tp_any' }, false, payload)
  expect([ran.code, ran.summary]).toEqual([0, expect.stringContaining('no secrets and no ID token')])
})

it('missing and rejected tokens and exceeded limits are reported', async () => {
  expect((await step({ trust: 'tp_any' }, false)).annotations.join()).toContain('`id-token: write`')
  expect((await step({ trust: 'tp_any', key: 'snk_x' })).annotations).toEqual([
    'error: Set trust or key, not both.',
  ])
  const other = await newRule({ claims: { repository_id: '75', repository_owner_id: '65' } })
  const refused = await step({ trust: other })
  expect([refused.code, refused.annotations.join()]).toEqual([1, expect.stringContaining('[invalid_grant')])
})

it.skipIf(!areInstalled('curl', 'jq'))('the steps of docs/ci.md do the same with curl', async () => {
  const page = await readFile('docs/ci.md', 'utf8')
  const [, steps = ''] =
    /^```yaml\n(permissions:\n {2}id-token: write\nsteps:\n[\s\S]*?)^```$/m.exec(page) ?? []
  const script = parse(steps).steps.at(-1).run as string
  const env = {
    ...github.idTokenEnv,
    PATH: process.env.PATH ?? '',
    SNIPKEEP_SERVER: system.baseUrl(),
    SNIPKEEP_TRUST: await newRule(),
  }
  await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env })
  expect((await user.get('/api/snippets/@nightly-report/raw?pointer=/csv')).text).toBe('a,b\n')
})

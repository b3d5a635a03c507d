import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeCiIssuer, githubClaims, gitlabClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { buildCommandLine, type CommandLine } from './harness/command-line.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let cli: CommandLine
let github: FakeCiIssuer
let gitlab: FakeCiIssuer
let system: SystemInProcess
let owner: Record<string, string>

beforeAll(async () => {
  cli = await buildCommandLine()
  github = await startFakeCiIssuer(githubClaims, 'github')
  gitlab = await startFakeCiIssuer(gitlabClaims, 'gitlab')
  const CI_ISSUERS = `github=github+${github.url},gitlab=gitlab+${gitlab.url}`
  system = await startSystem({ env: { CI_ISSUERS, OPERATOR_CLAIM: 'groups:operators' }, payments: {} })
  await system.user('mia', 'pro')
  owner = { SNIPKEEP_TOKEN: await system.issuer.token('mia') }
  cli.env = { SNIPKEEP_SERVER: system.baseUrl() }
})
afterAll(async () => {
  await system?.stop()
  await Promise.all([github?.stop(), gitlab?.stop(), cli?.stop()])
})

const asOwner = (...args: string[]) => cli.run(args, '', owner)

/** GitHub's token endpoint, which issues a token of the job for any audience. */
async function withRunner(use: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const audience = new URL(request.url ?? '', 'http://runner').searchParams.get('audience') ?? ''
    const isAllowed = request.headers.authorization === 'Bearer runner'
    void github
      .token(isAllowed ? audience : 'nobody')
      .then((value) => response.end(JSON.stringify({ value })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?v=1`
  try {
    await use({ ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner' })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

it('a rule is added, rejects the first job, is pinned, and accepts the next one with every command', async () => {
  const added = await asOwner('trust', 'add', 'acme/website', '--event', 'push', '--scope', 'write')
  expect([added.code, added.err]).toEqual([0, expect.stringContaining('snipkeep trust pin tp_')])
  const id = added.out.toString().trim()
  await withRunner(async (runner) => {
    const job = { ...runner, SNIPKEEP_TRUST: id }
    const refused = await cli.run(['save', '-t', 'csv', '--name', 'ci'], 'a,b\n', job)
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('snipkeep trust events')])
    const events = await asOwner('trust', 'events', id)
    expect(events.out.toString()).toMatch(/not_pinned +repository=acme\/website .*run_id=30433642/)
    expect((await asOwner('trust', 'pin', id)).code).toBe(2)
    const pinned = await asOwner('trust', 'pin', id, '--yes')
    expect([pinned.code, pinned.err]).toEqual([0, expect.stringContaining('repository_id=74')])
    for (const text of ['one', 'two'])
      expect((await cli.run(['save', '-t', 'csv', '--name', 'ci'], text, job)).code).toBe(0)
    expect((await cli.run(['list'], '', job)).err).toContain('insufficient_scope')
  })
  expect((await asOwner('get', '@ci', '-p', '/csv')).out.toString()).toBe('two')
  expect((await asOwner('trust', 'list')).out.toString()).toMatch(
    /^tp_\w+ +github +on +\S+ +acme\/website\n$/,
  )
  expect((await asOwner('trust', 'rm', id)).code).toBe(0)
  expect((await asOwner('trust', 'list')).out.toString()).toBe('')
})

it('the one ID token of a GitLab job serves all of its commands, and the cached token is private', async () => {
  const claims = ['--claim', 'project_id=20', '--claim', 'namespace_id=72']
  const added = await asOwner('trust', 'add', 'acme/website', '--issuer', 'gitlab', ...claims)
  const id = added.out.toString().trim()
  const token = await gitlab.token(system.baseUrl())
  const job = { SNIPKEEP_TRUST: id, SNIPKEEP_ID_TOKEN: token }
  for (const text of ['one', 'two', 'three'])
    expect(await cli.run(['save', '-t', 'text', '--name', 'lab'], text, job)).toMatchObject({ code: 0 })
  expect((await cli.run(['get', '@lab', '-p', '/text'], '', job)).out.toString()).toBe('three')
  const folder = join(cli.folder, '.config', 'snipkeep')
  const kept = (await readdir(folder)).filter((name) => name.startsWith('ci-'))
  expect(kept).toHaveLength(1)
  expect((await stat(join(folder, kept[0] ?? ''))).mode & 0o777).toBe(0o600)
  const other = await cli.run(['list'], '', { ...job, SNIPKEEP_TRUST: `tp_${'A'.repeat(22)}` })
  expect(other.code).toBe(4)
})

it('a key takes precedence over the job, and a job without an ID token is told how to get one', async () => {
  const job = { SNIPKEEP_TRUST: `tp_${'A'.repeat(22)}`, SNIPKEEP_ID_TOKEN: 'a.b.c', ...owner }
  expect((await cli.run(['whoami'], '', job)).code).toBe(0)
  const none = await cli.run(['whoami'], '', { SNIPKEEP_TRUST: `tp_${'A'.repeat(22)}` })
  expect([none.code, none.err]).toEqual([4, expect.stringContaining('no ID token')])
})

describe('the command line of an operator', () => {
  const why = ['--reason', 'phishing', '--message', 'It imitates a bank.', '--yes']
  let operator: Record<string, string>
  let share: string

  beforeAll(async () => {
    operator = { SNIPKEEP_TOKEN: await system.issuer.token('op', { groups: ['operators'] }) }
    const user = await system.user('publisher')
    const made = await user.post('/api/shares', { tool: 'csv', title: 'My bank', data: { v: 1 } })
    share = made.json<{ share_url: string }>().share_url
    await system.anyone().post('/api/reports', { share, reason: 'phishing', message: 'see line 1' })
  })
  const asOperator = (...args: string[]) => cli.run(['operator', ...args], '', operator)
  const printed = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await asOperator(...args)
    expect([code, code === 0 ? '' : err], args.join(' ')).toEqual([0, ''])
    return out.toString()
  }

  it('shows a report, disables its share, closes it, and finds both in the record', async () => {
    const report = JSON.parse(await printed('reports', '--json')) as { id: string }[]
    expect(await printed('reports')).toMatch(/phishing +1× +\w{22} +live +see line 1/)
    expect(await printed('share', share)).toMatch(/title +My bank/)
    const user = await system.user('publisher')
    const gated = { tool: 'csv', title: 'Gated', data: {}, password: 'open sesame', max_views: 3 }
    const made = (await user.post('/api/shares', gated)).json<{ share_url: string }>()
    expect(await printed('share', made.share_url)).toMatch(/password +true\nviews_left +3/)
    await printed('disable', share, ...why)
    expect((await fetch(share)).status).toBe(410)
    await printed('resolve', report[0]?.id ?? '', '--reason', 'disabled')
    expect(await printed('reports')).toBe('')
    expect(await printed('acts')).toMatch(
      /report\.resolved[\s\S]*share\.disabled .*op@example\.com +phishing/,
    )
    await printed('enable', share, ...why)
    expect((await fetch(share)).status).toBe(200)
  })

  it('suspends, resumes and upgrades an account found by its e-mail address', async () => {
    await printed('suspend', 'publisher@example.com', ...why)
    expect(await printed('account', 'PUBLISHER@example.com')).toMatch(/suspension_reason +phishing/)
    await printed('resume', 'publisher@example.com', ...why)
    await printed('grant-plan', 'publisher@example.com', '--for', '30d', ...why)
    expect(await printed('account', 'publisher@example.com')).toMatch(/granted_until +\d{4}-/)
    const told = await asOperator('grant-plan', 'publisher@example.com', '--end', ...why)
    expect([told.code, told.err]).toEqual([2, expect.stringContaining('--message goes with --for')])
    expect(await printed('account', 'publisher@example.com')).toMatch(/granted_until +\d{4}-/)
    await printed('grant-plan', 'publisher@example.com', '--end', '--reason', 'over', '--yes')
    expect(await printed('queues')).toMatch(/content\/events +\d+ waiting/)
  })

  it('refuses the URL of a share on another server', async () => {
    const elsewhere = share.replace(system.baseUrl(), 'https://other.example')
    const commands = [
      ['share', elsewhere],
      ['reports', '--share', elsewhere],
      ['disable', elsewhere, ...why],
    ]
    for (const command of commands) {
      const { code, err } = await asOperator(...command)
      expect([code, err], command[0]).toEqual([2, expect.stringContaining('not on http://127.0.0.1')])
    }
    expect((await fetch(share)).status).toBe(200)
  })

  it('asks before it changes anything, needs a reason, and is for operators only', async () => {
    const unasked = await asOperator('disable', share, '--reason', 'x')
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--yes')])
    expect((await asOperator('suspend', 'publisher@example.com', '--yes')).code).toBe(2)
    expect((await asOperator('account', 'nobody@example.com')).code).toBe(5)
    const { code } = await cli.run(['operator', 'acts'], '', owner)
    expect(code).toBe(5)
  })
})

it('a link to a share on a host of its own names a share of this server, to its owner and to operators', async () => {
  const env = { SHARE_BASE_URL: 'https://shares.example', OPERATOR_CLAIM: 'groups:operators' }
  const apart = await startSystem({ env })
  try {
    const user = await apart.user('publisher')
    const made = await user.post('/api/shares', { tool: 'csv', title: 'Apart', data: { v: 1 } })
    const { share_url: url } = made.json<{ share_url: string }>()
    expect(url).toMatch(/^https:\/\/shares\.example\/s\//)
    const run = async (as: string, ...args: string[]) => {
      const token = await apart.issuer.token(as, { groups: as === 'op' ? ['operators'] : [] })
      return cli.run(args, '', { SNIPKEEP_SERVER: apart.baseUrl(), SNIPKEEP_TOKEN: token })
    }
    expect((await run('op', 'operator', 'share', url)).out.toString()).toMatch(/title +Apart/)
    const elsewhere = url.replace('shares.example', 'other.example')
    const refused = await run('publisher', 'rm', elsewhere, '--yes')
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('This share is not on')])
    expect(await run('publisher', 'rm', url, '--yes')).toMatchObject({ code: 0, err: `Deleted ${url}.\n` })
    expect((await run('op', 'operator', 'share', url)).code).toBe(5)
  } finally {
    await apart.stop()
  }
})

it('an account is closed by its name after a recent sign-in, and restored', async () => {
  const claims = { auth_time: Math.floor(Date.now() / 1_000) }
  const fresh = { SNIPKEEP_TOKEN: await system.issuer.token('zoe', claims) }
  const old = { SNIPKEEP_TOKEN: await system.issuer.token('zoe') }
  const confirmed = ['account', 'delete', '--confirm', 'zoe@example.com']
  expect((await cli.run(['account', 'delete'], '', fresh)).code).toBe(2)
  const tooOld = await cli.run(confirmed, '', old)
  expect([tooOld.code, tooOld.err]).toEqual([4, expect.stringContaining('snipkeep login --fresh')])
  expect((await cli.run(['account', 'delete', '--confirm', 'mia'], '', fresh)).code).toBe(1)
  const closed = await cli.run(confirmed, '', fresh)
  expect([closed.code, closed.out.toString()]).toEqual([0, expect.stringContaining('account restore')])
  expect((await cli.run(['list'], '', fresh)).err).toContain('account_closing')
  const operator = { SNIPKEEP_TOKEN: await system.issuer.token('op', { groups: ['operators'] }) }
  const closing = await cli.run(['operator', 'closing'], '', operator)
  expect(closing.out.toString()).toContain('zoe@example.com')
  expect((await cli.run(['account', 'restore'], '', old)).code).toBe(0)
  expect((await cli.run(['list'], '', old)).code).toBe(0)
})

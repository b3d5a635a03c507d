import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { areInstalled } from '#libs/testing/programs.js'
import type { ApiClient } from './harness/api-client.js'
import { type FakeCiIssuer, gitlabClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { included, runJob } from './harness/gitlab-component.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

interface Note {
  readonly id: number
  readonly author: { readonly id: number }
  body: string
}

const token = 'glpat-own'
const own = { id: 7 }

let system: SystemInProcess
let user: ApiClient
let gitlab: Server
let issuer: FakeCiIssuer
let folder: string
let key: string
let notes: Note[] = []

/** A GitLab with merge request 4 in project 9; it implements only notes. */
function startGitlab(): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = new URLSearchParams(Buffer.concat(chunks).toString()).get('body') ?? ''
    const url = new URL(request.url ?? '/', 'http://gitlab')
    const [, id] = /^\/projects\/9\/merge_requests\/4\/notes(?:\/(\d+))?$/.exec(url.pathname) ?? [null]
    const reply = (status: number, json: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
    if (request.headers['private-token'] !== token) return reply(401, {})
    if (url.pathname === '/user') return reply(200, own)
    if (id === null) return reply(404, {})
    if (request.method === 'GET') {
      const from = (Number(url.searchParams.get('page')) - 1) * 100
      return reply(200, notes.slice(from, from + 100))
    }
    const kept = notes.find((note) => String(note.id) === id)
    if (request.method === 'PUT' && kept !== undefined) kept.body = body
    else if (request.method === 'POST') notes.push({ id: notes.length + 1, author: own, body })
    return reply(201, {})
  })
}

/** Runs the job and returns its output and links. */
function job(inputs: Record<string, string>, more: Record<string, string> = {}) {
  const CI_API_V4_URL = `http://127.0.0.1:${(gitlab.address() as AddressInfo).port}`
  return runJob(
    folder,
    { server: system.baseUrl(), ...inputs },
    { CI_API_V4_URL, SNIPKEEP_KEY: key, ...more },
  )
}

describe.skipIf(!areInstalled('curl', 'jq'))('the component for GitLab (needs curl and jq)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snipkeep-gitlab-'))
    gitlab = startGitlab()
    await new Promise<void>((resolve) => gitlab.listen(0, '127.0.0.1', resolve))
    issuer = await startFakeCiIssuer(gitlabClaims, 'gitlab')
    system = await startSystem({ env: { CI_ISSUERS: `gitlab=gitlab+${issuer.url}` } })
    user = await system.user('gil', 'pro')
    key = (await user.post('/api/keys', { name: 'gitlab' })).json<{ key: string }>().key
  })
  afterAll(async () => {
    gitlab?.closeAllConnections()
    gitlab?.close()
    await Promise.all([system?.stop(), issuer?.stop()])
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    notes = []
    await writeFile(join(folder, 'report.csv'), 'a,b\n1,2\n')
  })

  it('does not share a file that holds a secret, unless the job says so', async () => {
    const secret = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
    await writeFile(join(folder, 'report.csv'), `token\n${secret}\n`)
    const refused = await job({})
    expect([refused.code, refused.links]).toEqual([1, []])
    expect(refused.out).toContain('secret_found')
    const warned = await job({ secrets: 'warn' })
    expect([warned.code, warned.links.length]).toEqual([0, 1])
    expect(warned.out).toContain('Warning: this seems to hold a secret (github-token) at /csv: ghp_…Lq17')
    const published = await job({ secrets: 'off' })
    expect([published.code, published.links.length]).toEqual([0, 1])
    for (const { out } of [refused, warned, published]) expect(out).not.toContain(secret)
  })

  it('saves a file under its name, shares it, and links it in the job’s log', async () => {
    const ran = await job({ name: 'Report/Main', title: 'A "report" & more', expires: '30d' })
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('as @report-main.')])
    expect(ran.links.map(({ label }) => label)).toEqual(['A "report" & more'])
    const id = ran.links[0]?.url.split('/').at(-1)
    const share = (await system.anyone().get(`/api/shares/${id}`)).json<Record<string, string>>()
    expect([share.title, share.tool]).toEqual(['A "report" & more', 'csv'])
    const days = (Date.parse(share.expires_at ?? '') - Date.parse(share.created_at ?? '')) / 86_400_000
    expect(Math.round(days)).toBe(30)
    expect((await user.get('/api/snippets/@report-main/raw?pointer=/csv')).text).toBe('a,b\n1,2\n')
    expect(notes).toEqual([])
    expect((await job({ share: 'false', name: 'alone' })).links).toEqual([])
  })

  it('writes one note on the merge request, and leaves others alone', async () => {
    const foreign = { id: 1, author: { id: 8 }, body: '<!-- snipkeep:mr -->\nmine' }
    notes = [
      foreign,
      ...Array.from({ length: 120 }, (_, n) => ({ id: n + 2, author: { id: 8 }, body: 'talk' })),
    ]
    const mr = { SNIPKEEP_GITLAB_TOKEN: token, CI_MERGE_REQUEST_IID: '4' }
    const inputs = { name: 'mr', title: 'All `of` @it' }
    expect((await job(inputs, mr)).code).toBe(0)
    const second = await job(inputs, mr)
    expect([second.code, foreign.body]).toEqual([0, '<!-- snipkeep:mr -->\nmine'])
    expect(notes.filter(({ author }) => author.id === own.id).map(({ body }) => body)).toEqual([
      `<!-- snipkeep:mr -->\n**Snipkeep**: \`All of @it\`, [open](${second.links[0]?.url}). Commit abc.`,
    ])
    expect(second.out).not.toMatch(/snk_|glpat/)
  })

  it('fails on what breaks the contract, shows it in log and note, and passes once it is approved', async () => {
    const mr = { SNIPKEEP_GITLAB_TOKEN: token, CI_MERGE_REQUEST_IID: '4' }
    const check = async (text: string, more: Record<string, string> = {}) => {
      await writeFile(join(folder, 'report.csv'), text)
      const ran = await job({ check: '@Prices', share: 'false', title: 'All the prices', ...more }, mr)
      const id = ran.links[0]?.url.split('/').at(-1)
      return { ...ran, approve: () => user.post(`/api/checks/${id}/approve`, {}), id }
    }
    const first = await check('sku,price\na,1.00\nb,2.00\n')
    expect([first.code, first.out, first.links[0]?.label]).toEqual([
      0,
      expect.stringContaining('new, breaks: 0'),
      'new: @prices',
    ])
    expect((await first.approve()).status).toBe(200)
    const broken = await check('sku,price\na,1.50\nb,`x|\n')
    expect([broken.code, broken.out]).toEqual([
      1,
      expect.stringContaining('breaks: 2, allowed: 0, pending. http'),
    ])
    expect(broken.out).toContain('value  /0/price  1.00  1.50\n')
    expect(notes.at(-1)?.body).toContain('| value | `/1/price` | `2.00` | `·x\\|` |  |')
    const made = (await user.get(`/api/checks/${broken.id}`)).json<Record<string, string>>()
    expect([made.source, made.title]).toEqual([
      'https://gitlab.example/acme/website/-/jobs/8',
      'All the prices',
    ])
    expect((await broken.approve()).status).toBe(200)
    expect((await check('sku,price\na,1.50\nb,`x|\n')).code).toBe(0)
    expect(notes).toHaveLength(1)
    const named = await check('sku\n', { name: 'prices' })
    expect([named.code, named.out]).toEqual([1, expect.stringContaining('Leave out name')])
  })

  it('does not fail in a fork, and elsewhere reports what is missing', async () => {
    const fork = {
      SNIPKEEP_KEY: '',
      CI_PROJECT_PATH: 'eve/website',
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/website',
    }
    const ran = await job({ trust: 'tp_1' }, fork)
    expect([ran.code, ran.links, ran.out]).toEqual([0, [], expect.stringContaining('runs in a fork')])
    const without = await job({}, { SNIPKEEP_KEY: '' })
    expect([without.code, without.out]).toEqual([1, expect.stringContaining('Set the input trust')])
  })

  it('needs no key in a trusted project', async () => {
    const claims = { project_id: '20', namespace_id: '72' }
    const made = await user.post('/api/trusted-publishers', {
      name: 'job',
      issuer: 'gitlab',
      repository: 'acme/website',
      claims,
    })
    const trust = made.json<{ id: string }>().id
    const own = { SNIPKEEP_KEY: '', SNIPKEEP_ID_TOKEN: await issuer.token(system.baseUrl()) }
    const ran = await job({ trust, name: 'keyless' }, own)
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('as @keyless.')])
    expect(ran.out).not.toMatch(/snx_|eyJ/)
    expect((await user.get('/api/snippets/@keyless/raw?pointer=/csv')).text).toBe('a,b\n1,2\n')
    const replayed = await job({ trust }, own)
    expect([replayed.code, replayed.out]).toEqual([1, expect.stringContaining('invalid_grant')])
  })

  const overHttp = [
    'http://snippets.example',
    'HTTP://snippets.example',
    'http://localhost.snippets.example',
    'http://localhost@snippets.example',
    'http://localhost:80@snippets.example/',
    'http://127.0.0.1:1@snippets.example',
    'http://127.0.0.1.snippets.example',
    'http://127.0.0.1?@snippets.example',
    'http://localhosthttp://127.0.0.1',
    'ftp://snippets.example',
    'snippets.example',
  ]

  /** A proxy that every request goes through; on this machine none of them has to leave it. */
  async function throughProxy(run: (proxy: JsonServer, env: Record<string, string>) => Promise<void>) {
    const proxy = await startJsonServer(() => ({}))
    try {
      await run(proxy, { http_proxy: proxy.url, all_proxy: proxy.url, no_proxy: '127.0.0.1' })
    } finally {
      await proxy.stop()
    }
  }

  it.each(overHttp)('sends neither key nor ID token to %s', (server) =>
    throughProxy(async (proxy, env) => {
      for (const [inputs, own] of [
        [{}, {}],
        [{ trust: 'tp_1' }, { SNIPKEEP_KEY: '', SNIPKEEP_ID_TOKEN: 'eyJ' }],
      ] as const) {
        const ran = await job({ server, ...inputs }, { ...env, ...own })
        expect([ran.code, ran.links, ran.out]).toEqual([
          1,
          [],
          expect.stringContaining('must begin with https://'),
        ])
      }
      expect(proxy.hits()).toBe(0)
    }),
  )

  it('sends no token of GitLab to an http: address', () =>
    throughProxy(async (proxy, env) => {
      const mr = { SNIPKEEP_GITLAB_TOKEN: token, CI_MERGE_REQUEST_IID: '4' }
      const ran = await job({}, { ...env, ...mr, CI_API_V4_URL: 'http://gitlab.example/api/v4' })
      expect([ran.code, ran.links, ran.out]).toEqual([
        1,
        [],
        expect.stringContaining('only to https:// addresses'),
      ])
      expect(proxy.hits()).toBe(0)
    }))

  it('reports the server’s errors verbatim', async () => {
    const ran = await job({ name: 'x' }, { SNIPKEEP_KEY: 'snk_wrong' })
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('invalid_api_key')])
    const wrong = included({ server: 's', file: 'f', expires: '1d; rm x' })
    await expect(wrong).rejects.toThrow('expires does not match')
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { type ArchiveFiles, recordsOf, unpack } from './harness/archive.js'
import { download, exact, fill, large, saved, summaryOf, upload } from './harness/archived-account.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let empty: SystemInProcess

beforeAll(async () => {
  const env = { RATE_LIMIT_STRICT: '1000/60' }
  ;[system, empty] = await Promise.all([startSystem({ env }), startSystem({ env })])
})
afterAll(() => Promise.all([system?.stop(), empty?.stop()]))

/** The data of snippets, and the lists without what an import makes anew. */
function comparable(files: ArchiveFiles): unknown {
  const data = [...files].filter(([path]) => path.startsWith('data/snippets/'))
  const shares = recordsOf(files, 'shares.ndjson').map((share): Record<string, unknown> => {
    const { id, share_url: _url, created_at: _at, ...rest } = share
    return { ...rest, data: String(files.get(`data/shares/${id}.json`)) }
  })
  const revisionsOf = (list: unknown): unknown =>
    (list as Record<string, unknown>[]).map(({ principal: _by, ...rest }) => rest)
  return {
    data: new Map(data),
    shares: shares.toSorted((a, b) => String(a.title).localeCompare(String(b.title))),
    snippets: recordsOf(files, 'snippets.ndjson').map(({ revisions, ...rest }) => ({
      ...{ ...rest, revisions: revisionsOf(revisions) },
    })),
    history: String(files.get('history.ndjson')),
  }
}

describe('an export', () => {
  it('imported into an empty system gives the same account, and a second import changes nothing', async () => {
    await fill(await system.user('mover', 'pro'), 130, 40)
    const archive = await download(system, 'mover')
    const files = await unpack(archive)
    expect([...files.keys()].at(0)).toBe('account.json')
    expect([...files.keys()].at(-1)).toBe('manifest.json')
    const there = await empty.user('mover', 'pro')
    expect(summaryOf(await upload(there, archive))).toEqual({
      created: 174,
      exists: 0,
      skipped: 0,
      refused: 0,
    })
    const again = await unpack(await download(empty, 'mover'))
    expect(comparable(again)).toEqual(comparable(files))
    expect((await there.get('/api/snippets/@exact/revisions/1/raw')).text).toBe(exact)
    expect(summaryOf(await upload(there, archive))).toEqual({
      created: 0,
      exists: 174,
      skipped: 0,
      refused: 0,
    })
    expect(comparable(await unpack(await download(empty, 'mover')))).toEqual(comparable(files))
  })

  it('has every list, counts, and the SHA-256 of each file, and no secrets', async () => {
    const owner = await system.user('keeper', 'pro')
    const { key } = await makeKey(system, owner, { name: 'CI', scopes: ['read'] })
    const id = await saved(owner, exact)
    const files = await unpack(
      Buffer.from(
        await (
          await fetch(`${system.baseUrl()}/api/export`, { headers: { 'X-API-Key': key } })
        ).arrayBuffer(),
      ),
    )
    expect([...files.keys()]).toEqual([
      ...['account.json', 'snippets.ndjson', `data/snippets/${id}.json`, 'contracts.ndjson', 'checks.ndjson'],
      ...['shares.ndjson', 'history.ndjson'],
      ...['keys.ndjson', 'trusted-publishers.ndjson', 'events.ndjson', 'manifest.json'],
    ])
    expect(String(files.get(`data/snippets/${id}.json`))).toBe(exact)
    const manifest = JSON.parse(String(files.get('manifest.json')))
    expect(manifest).toMatchObject({ counts: { snippets: 1, shares: 0, keys: 1 }, gone: [] })
    // This system has no billing.
    expect(manifest.unavailable).toEqual(['subscription'])
    for (const { path, sha256 } of manifest.files)
      expect(
        createHash('sha256')
          .update(files.get(path) ?? '')
          .digest('hex'),
      ).toBe(sha256)
    const [record] = recordsOf(files, 'snippets.ndjson')
    expect(record?.sha256).toBe(createHash('sha256').update(exact).digest('hex'))
    for (const content of files.values()) expect(String(content)).not.toContain(key.slice(8, -4))
    const events = (await owner.get('/api/events?type=export.made')).json<{ events: object[] }>()
    expect(events.events).toMatchObject([{ principal: { kind: 'api_key' }, detail: { since: null } }])
  })

  it('since a time leaves out what has not changed', async () => {
    const owner = await system.user('partly', 'pro')
    const [old, changed] = [await saved(owner, '{"v":1}'), await saved(owner, '{"v":1}')]
    const share = await owner.post('/api/shares', { tool: 'csv', title: 'Old', data: {} })
    const latest = Date.parse(share.json<{ created_at: string }>().created_at)
    await expect.poll(() => Date.now()).toBeGreaterThan(latest)
    const since = new Date(latest + 1).toISOString()
    await owner.patch(`/api/snippets/${changed}`, { title: 'Changed' })
    await owner.post('/api/history', { tool: 'csv' })
    const files = await unpack(await download(system, 'partly', `?since=${since}`))
    expect(recordsOf(files, 'snippets.ndjson').map(({ id }) => id)).toEqual([changed])
    expect(recordsOf(files, 'shares.ndjson')).toEqual([])
    expect(recordsOf(files, 'history.ndjson')).toHaveLength(1)
    expect(files.has(`data/snippets/${old}.json`)).toBe(false)
    expect((await owner.get('/api/export?since=yesterday')).status).toBe(400)
  })

  it('has the history that a downgrade hides', async () => {
    const owner = await system.user('lapsed', 'pro')
    for (let n = 0; n < 22; n += 1)
      expect((await owner.post('/api/history', { tool: 'csv', title: `${n}` })).status).toBe(201)
    await system.setPlan('lapsed', 'free')
    const visible = async () =>
      (await owner.get('/api/auth/profile')).json<{ usage: { history: number } }>().usage.history
    await expect.poll(visible, { timeout: 10_000 }).toBe(20)
    const files = await unpack(await download(system, 'lapsed'))
    expect(recordsOf(files, 'history.ndjson')).toHaveLength(22)
  })

  it('is made four times a day and one at a time, and a HEAD does not count', async () => {
    const owner = await system.user('eager')
    expect((await owner.request('HEAD', '/api/export')).status).toBe(200)
    const atOnce = await Promise.all([1, 2, 3].map(() => owner.get('/api/export')))
    const refused = atOnce.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('retry-after')).toBe('30')
    for (let made = atOnce.length - refused.length; made < 4; made += 1) await download(system, 'eager')
    const fifth = await owner.get('/api/export')
    expect([fifth.status, fifth.json().policy]).toEqual([429, 'export'])
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(86_000)
  })

  it('that its reader abandons makes room for the next one', async () => {
    const owner = await system.user('leaver', 'pro')
    for (let n = 0; n < 20; n += 1) await saved(owner, large)
    const abort = new AbortController()
    const response = await fetch(`${system.baseUrl()}/api/export`, {
      headers: { Authorization: `Bearer ${await system.issuer.token('leaver')}` },
      signal: abort.signal,
    })
    expect(response.status).toBe(200)
    abort.abort()
    await expect.poll(async () => (await owner.get('/api/export')).status).toBe(200)
  })
})

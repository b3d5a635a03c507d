import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type ArchiveFiles, pack, recordsOf, unpack, withList } from './harness/archive.js'
import { download, fill, linesOf, saved, summaryOf, upload } from './harness/archived-account.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let empty: SystemInProcess

beforeAll(async () => {
  const env = { RATE_LIMIT_STRICT: '1000/60' }
  // Its second gateway has no memory for an import.
  const gatewayEnv = (gateway: number): Record<string, string> =>
    gateway === 1 ? { INTERNAL_UPLOAD_BYTES_IN_FLIGHT_MAX: '8388608' } : {}
  ;[system, empty] = await Promise.all([startSystem({ env }), startSystem({ env, gateways: 2, gatewayEnv })])
})
afterAll(() => Promise.all([system?.stop(), empty?.stop()]))

describe('an import', () => {
  let archive: Buffer
  let files: ArchiveFiles

  beforeAll(async () => {
    await fill(await system.user('source', 'pro'), 3, 2)
    archive = await download(system, 'source')
    files = await unpack(archive)
  })

  const counts = async (user: ApiClient) => {
    const { usage } = (await user.get('/api/auth/profile')).json<{ usage: Record<string, number> }>()
    return { snippets: usage.snippets, shares: usage.shares, history: usage.history }
  }

  it('that is dry stores nothing, and tells what would happen', async () => {
    const user = await empty.user('dry', 'pro')
    expect(summaryOf(await upload(user, archive, '?dry_run=true'))).toEqual({
      ...{ created: 9, exists: 0, skipped: 0, refused: 0 },
    })
    expect(await counts(user)).toEqual({ snippets: 0, shares: 0, history: 0 })
  })

  it('never overwrites, and gives a taken name or id up', async () => {
    const user = await empty.user('owner of a name', 'pro')
    await saved(user, '{"mine":true}', { name: 'exact' })
    const lines = linesOf(await upload(user, archive))
    expect(lines.filter((line) => 'warning' in line)).toMatchObject([{ warning: 'name_taken' }])
    expect((await user.get('/api/snippets/@exact/raw')).text).toBe('{"mine":true}')
    const other = await empty.user('second account', 'pro')
    const second = linesOf(await upload(other, archive))
    const [record] = recordsOf(files, 'snippets.ndjson')
    const moved = second.find(({ path }) => path === `data/snippets/${record?.id}.json`)
    expect(moved?.result).toBe('created')
    expect(moved?.id).not.toBe(record?.id)
    expect((await other.get(`/api/snippets/${moved?.id}`)).status).toBe(200)
    expect((await user.get(`/api/snippets/${moved?.id}`)).status).toBe(403)
    expect(summaryOf(await upload(other, archive))).toMatchObject({ created: 0, exists: 9 })
  })

  it('keeps to the limits of the plan, item by item', async () => {
    const user = await empty.user('small', 'free')
    for (let n = 0; n < 14; n += 1) await saved(user, '{}')
    const lines = linesOf(await upload(user, archive))
    const refused = lines.filter(({ result }) => result === 'refused').map(({ problem }) => problem?.code)
    expect(refused.filter((code) => code === 'snippet_limit_reached').length).toBeGreaterThanOrEqual(2)
    // Of the two shares, one never expires.
    expect(refused.filter((code) => code === 'validation_failed')).toHaveLength(1)
    expect(await counts(user)).toEqual({ snippets: 15, shares: 1, history: 2 })
  })

  it('that is cut is refused with what is missing, wherever it is cut, and can be repeated', async () => {
    const user = await empty.user('cut', 'pro')
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      const cut = await upload(user, archive.subarray(0, Math.floor(archive.length * share)))
      const problem = cut.json<{ code: string; errors: { pointer: string }[]; imported: number }>()
      expect([cut.status, problem.code], cut.text).toEqual([400, 'archive_incomplete'])
      expect(problem.errors.map(({ pointer }) => pointer)).toContain('manifest.json')
      expect(problem.imported).toBeGreaterThanOrEqual(0)
    }
    const withoutOne = new Map(files)
    const [path = ''] = [...files.keys()].filter((one) => one.startsWith('data/shares/'))
    withoutOne.delete(path)
    const incomplete = await upload(user, await pack(withoutOne))
    expect(incomplete.json()).toMatchObject({ code: 'archive_incomplete', errors: [{ pointer: path }] })
    expect(summaryOf(await upload(user, archive))).toMatchObject({ refused: 0 })
    expect(await counts(user)).toEqual({ snippets: 3, shares: 2, history: 2 })
  })

  const bomb = (): Promise<Buffer> => {
    const [record] = recordsOf(files, 'snippets.ndjson')
    const line = JSON.stringify({ ...record, size_bytes: 3_000_000_000 })
    return pack(withList(files, 'snippets.ndjson', `${line}\n`))
  }
  const renamed = (path: string) => async (): Promise<Buffer> => {
    const changed = [...files].map(
      ([name, bytes]) => [name.startsWith('data/') ? path : name, bytes] as const,
    )
    return pack(changed)
  }
  const attacks: Readonly<Record<string, () => Promise<Buffer>>> = {
    'a path outside': renamed('../../etc/passwd'),
    'an absolute path': renamed('/etc/passwd'),
    'a file that no export has': renamed('data/other.json'),
    'data that no list announces': renamed(`data/snippets/${'A'.repeat(22)}.json`),
    'wrong data': async () =>
      pack(
        [...files].map(([path, bytes]) => [path, path.startsWith('data/') ? bytes.fill(0x20, 0, 1) : bytes]),
      ),
    'a wrong list': async () => pack(new Map(files).set('history.ndjson', Buffer.from('\n'))),
    'data of another size': bomb,
    'a list that is not JSON': async () => pack(withList(files, 'snippets.ndjson', '{"id":')),
    'a record that is not valid': async () => pack(withList(files, 'snippets.ndjson', '{"id":"x"}\n')),
    'another first file': async () => pack([...files].slice(1)),
    'the same list twice': async () =>
      pack([...files, ['history.ndjson', files.get('history.ndjson') ?? '']]),
    'a file after the manifest': async () => pack([...files, ['events-2.ndjson', '']]),
    'another format': async () =>
      pack(new Map(files).set('account.json', Buffer.from('{"format":"zip","version":1}'))),
    'a later version': async () =>
      pack(new Map(files).set('account.json', Buffer.from('{"format":"snipkeep-export","version":9}'))),
    'no archive': async () => gzipSync(Buffer.alloc(10_000, 'not a tar ')),
    'no gzip': async () => Buffer.from('{"tool":"csv"}'),
    'bytes after the gzip stream': async () => Buffer.concat([archive, Buffer.from('more')]),
  }

  it.each(Object.entries(attacks))('with %s is refused', async (name, attack) => {
    files = await unpack(archive)
    const user = await empty.user(`attacker with ${name}`, 'pro')
    const response = await upload(user, await attack())
    expect(response.status, response.text).toBe(400)
    expect(response.json().code).toMatch(/^archive_(invalid|incomplete)$/)
    const { imported } = response.json<{ imported: number }>()
    const { snippets = 0, shares = 0, history = 0 } = await counts(user)
    // Versions count as imported items, too.
    expect(snippets + shares + history).toBeLessThanOrEqual(imported)
  })

  it('of data that is not a JSON object, or hides bytes around it, is refused', async () => {
    const user = await empty.user('inventor', 'pro')
    for (const text of ['[1]', '{"a":', ' {"a":1} ', '{"a":1}x']) {
      files = await unpack(archive)
      const record = recordsOf(files, 'snippets.ndjson').at(-1)
      const sha256 = createHash('sha256').update(text).digest('hex')
      const line = JSON.stringify({ ...record, size_bytes: text.length, sha256, revisions: [] })
      const only = withList(files, 'snippets.ndjson', `${line}\n`)
      const forged = [...only].filter(([path]) => !path.startsWith('data/snippets/'))
      forged.splice(2, 0, [`data/snippets/${record?.id}.json`, Buffer.from(text)])
      const response = await upload(user, await pack(forged))
      expect([response.status, response.json().code], text).toEqual([400, 'archive_invalid'])
    }
    expect(await counts(user)).toEqual({ snippets: 0, shares: 0, history: 0 })
  })

  it('that finds no room does not count for the day', async () => {
    const full = await empty.user('patient', 'pro', 1)
    for (let n = 0; n < 21; n += 1) {
      const response = await upload(full, archive)
      expect([response.status, response.json().code]).toEqual([503, 'unavailable'])
    }
    const user = await empty.user('patient', 'pro')
    expect(summaryOf(await upload(user, archive))).toMatchObject({ refused: 0 })
  })

  it('keeps history whose metadata is as long as it may be', async () => {
    const line = (n: number): string =>
      JSON.stringify({
        ...{ id: String(n).padStart(22, '0'), tool: 't', action: null, title: null },
        ...{ created_at: '2026-01-01T00:00:00Z', metadata: { text: 'x'.repeat(n === 7 ? 17_000 : 16_000) } },
      })
    const lines = Array.from({ length: 110 }, (_, n) => `${line(n)}\n`)
    const user = await empty.user('verbose', 'pro')
    const response = await upload(user, await pack(withList(files, 'history.ndjson', lines.join(''))))
    expect(summaryOf(response)).toMatchObject({ refused: 1 })
    const refused = linesOf(response).find(({ result }) => result === 'refused')
    expect(refused).toMatchObject({ id: '7'.padStart(22, '0'), problem: { code: 'validation_failed' } })
    expect((await counts(user)).history).toBe(109)
  })

  it('needs the type of an archive', async () => {
    const user = await empty.user('typist')
    const response = await user.request('POST', '/api/import', { body: archive })
    expect([response.status, response.json().code]).toEqual([415, 'unsupported_media_type'])
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTar } from '#libs/tar/read-tar.js'
import { describeOnLinux } from '#libs/testing/describe-on-linux.js'
import type { ApiClient } from './harness/api-client.js'
import { inParallel } from './harness/in-parallel.js'
import { startSystem, type TestSystem } from './harness/system.js'

const snippets = 2_000
const versioned = 100
const shares = 500
/** Half of them snippets, half of them shares. */
const documents = Number(process.env.TEST_EXPORT_DOCUMENTS ?? 40)
const documentBytes = 50_000_000
const megabyte = 1_048_576

let full: TestSystem
let empty: TestSystem

async function* documentOf(number: number): AsyncGenerator<Buffer> {
  const piece = Buffer.from(randomBytes(3 * 65_536).toString('base64'))
  yield Buffer.from(`{"n":${number},"v":"`)
  let left = documentBytes - 32
  for (; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length))
  yield Buffer.from('"}')
}

/** Streams a body, and returns the response's. */
function send(
  system: TestSystem,
  token: string,
  method: string,
  path: string,
  type: string,
  body: AsyncIterable<Uint8Array>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const outgoing = request(`${system.baseUrl()}${path}`, { method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
    })
    outgoing.on('error', reject)
    const write = async (): Promise<void> => {
      for await (const chunk of body)
        if (!outgoing.write(chunk)) await new Promise((drained) => outgoing.once('drain', drained))
      outgoing.end()
    }
    write().catch((error: Error) => outgoing.destroy(error))
  })
}

async function fill(user: ApiClient, token: string): Promise<void> {
  await inParallel(snippets, 16, async (n) => {
    const name = n < versioned ? { name: `n${n}` } : {}
    const body = {
      tool: 'csv',
      title: `Snippet ${n}`,
      tags: ['t'],
      data: { n, text: 'x'.repeat(n % 3_000) },
      ...name,
    }
    expect((await user.post('/api/snippets', body)).status).toBe(201)
    for (let v = 1; v < 4 && n < versioned; v += 1) {
      const put = { tool: 'csv', title: `Version ${v}`, data: { n, v } }
      const changed = await user.request('PUT', `/api/snippets/@n${n}`, { body: put })
      expect(changed.status).toBe(200)
    }
  })
  await inParallel(shares, 16, async (n) => {
    const made = await user.post('/api/shares', { tool: 'csv', title: `Share ${n}`, data: { n } })
    expect(made.status).toBe(201)
  })
  for (let n = 0; n < documents; n += 1) {
    const plural = n % 2 === 0 ? 'snippets' : 'shares'
    const path = `/api/${plural}?tool=csv&title=Large%20${n}`
    const type = 'application/vnd.snipkeep.data+json'
    const made = await send(full, token, 'POST', path, type, documentOf(n))
    expect(made.status, made.text).toBe(201)
  }
}

/** Not by `fetch`: that of Node 20.20 copies what it has received again and again for a reader that is slower. */
async function download(system: TestSystem, token: string): Promise<AsyncIterable<Uint8Array>> {
  const headers = { Authorization: `Bearer ${token}` }
  const [response] = await once(get(`${system.baseUrl()}/api/export`, { headers }), 'response')
  expect(response.statusCode).toBe(200)
  return response
}

/** The SHA-256 of the data of snippets by path, and of that of shares by title. */
async function digestsOf(archive: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, string>> {
  const gunzip = createGunzip()
  const chunks = gunzip[Symbol.asyncIterator]()
  const pump = async (): Promise<void> => {
    for await (const chunk of archive)
      if (!gunzip.write(chunk)) await new Promise((drained) => gunzip.once('drain', drained))
    gunzip.end()
  }
  pump().catch((error: Error) => gunzip.destroy(error))
  const tar = readTar(async () => {
    const { value, done } = await chunks.next()
    return done === true ? null : value
  })
  const digests = new Map<string, string>()
  const titles = new Map<string, string>()
  for (let entry = await tar.next(); entry !== null; entry = await tar.next()) {
    const hash = createHash('sha256')
    const text: Uint8Array[] = []
    for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next()) {
      hash.update(chunk)
      if (entry.path.startsWith('shares')) text.push(Uint8Array.from(chunk))
    }
    for (const line of Buffer.concat(text).toString().split('\n').filter(Boolean)) {
      const { id, title } = JSON.parse(line) as { id: string; title: string }
      titles.set(`data/shares/${id}.json`, title)
    }
    if (entry.path.startsWith('data/')) digests.set(titles.get(entry.path) ?? entry.path, hash.digest('hex'))
  }
  return digests
}

/** The peak of a process's memory since `forget`, and what it has now, in bytes. */
const memory = {
  now: (pid: number): number => fieldOf(pid, 'VmRSS'),
  peak: (pid: number): number => fieldOf(pid, 'VmHWM'),
  forget: (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
}

function fieldOf(pid: number, name: string): number {
  const [, kilobytes] =
    new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

describeOnLinux('an account with 2,000 snippets, versions, 500 shares and large documents', () => {
  beforeAll(async () => {
    const options = { env: { PLAN_PRO_DATA_BYTES: String(documentBytes) }, keepsOutput: false }
    ;[full, empty] = await Promise.all([startSystem(options), startSystem(options)])
  })
  afterAll(() => Promise.all([full?.stop(), empty?.stop()]))

  it('moves to an empty system byte for byte, and no process needs 120 MB for that', {
    timeout: 1_800_000,
  }, async () => {
    const user = await full.user('mover', 'pro')
    const there = await empty.user('mover', 'pro')
    const [token, tokenThere] = await Promise.all([full.issuer.token('mover'), empty.issuer.token('mover')])
    await fill(user, token)
    const processes = [...full.processes, ...empty.processes]
    const before = new Map(processes.map(({ pid }) => [pid, memory.now(pid)]))
    for (const { pid } of processes) memory.forget(pid)
    const archive = await download(full, token)
    const imported = await send(empty, tokenThere, 'POST', '/api/import', 'application/gzip', archive)
    expect(imported.status, imported.text.slice(0, 2_000)).toBe(200)
    const grown = processes.map(({ name, pid }) => [name, memory.peak(pid) - (before.get(pid) ?? 0)] as const)
    expect(grown.filter(([, bytes]) => bytes > 120 * megabyte)).toEqual([])
    const summary = JSON.parse(imported.text.trim().split('\n').at(-1) ?? '')
    const items = snippets + 3 * versioned + shares + documents
    expect(summary).toEqual({
      ...{ summary: { created: items, exists: 0, skipped: 0, refused: 0 }, dry_run: false },
    })
    const [one, other] = [
      await digestsOf(await download(full, token)),
      await digestsOf(await download(empty, tokenThere)),
    ]
    expect(one.size).toBe(items)
    expect(other).toEqual(one)
    expect((await there.get('/api/snippets/@n7/revisions/1/raw')).text).toBe(
      (await user.get('/api/snippets/@n7/revisions/1/raw')).text,
    )
  })
})

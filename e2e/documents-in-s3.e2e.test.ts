import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '#libs/testing/s3-server.js'
import { createTestBucket, type TestBucket } from '#libs/testing/test-bucket.js'
import type { ApiClient } from './harness/api-client.js'
import { type StreamedResponse, streamedRequest } from './harness/streamed-request.js'
import { startSystem, type TestSystem } from './harness/system.js'
import type { Env } from './harness/system-process.js'

const megabyte = 1_048_576
const grace: Env = { INTERNAL_CONTENT_ORPHAN_GRACE_MS: '8000', INTERNAL_CONTENT_SWEEP_INTERVAL_MS: '300' }

let server: S3Server
let bucket: TestBucket
let s3: Env
let system: TestSystem
let db: pg.Client
let user: ApiClient

/** The document store of each content process, in order of start. */
let stores: readonly Env[] = []

beforeAll(async () => {
  server = await startS3Server()
  bucket = await createTestBucket('e2e', server.access)
  s3 = {
    DOCUMENT_STORE: 's3',
    S3_ENDPOINT: server.access.endpoint,
    S3_BUCKET: bucket.name,
    S3_PREFIX: 'documents',
    S3_ACCESS_KEY_ID: server.access.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.access.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  }
  stores = [{}, s3]
  // Two processes on one database: one with the old configuration, and one with the new.
  system = await startSystem({ contents: 2, contentEnv: (index) => ({ ...grace, ...stores[index] }) })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
  user = await system.user('kit', 'pro')
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
  await server?.stop()
})

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Incompressible JSON of about this many bytes. */
const dataOf = (bytes: number): string => `{"v":"${randomBytes(bytes / 2).toString('hex')}"}`

async function save(plural: 'snippets' | 'shares', data: string): Promise<{ path: string; sha256: string }> {
  const response = await user.post(`/api/${plural}`, `{"tool":"s3","title":"Kept elsewhere","data":${data}}`)
  expect(response.status, response.text.slice(0, 300)).toBe(201)
  return { path: `/api/${plural}/${response.json<{ id: string }>().id}`, sha256: sha256(data) }
}

/** Streams a body, and reads a response that may come before all of it is sent. */
async function upload(data: string): Promise<StreamedResponse> {
  const body = Buffer.from(`{"tool":"s3","title":"Refused","data":${data}}`)
  const headers = {
    Authorization: `Bearer ${await system.issuer.token('kit')}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  }
  return streamedRequest(`${system.baseUrl()}/api/snippets`, 'POST', headers, [body])
}

async function read({ path }: { path: string }): Promise<string> {
  const response = await user.get(`${path}/raw`)
  expect(response.status, response.text.slice(0, 300)).toBe(200)
  return sha256(response.text)
}

async function rowsLeft(): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'SELECT count(DISTINCT document_id)::int AS n FROM content.document_chunk',
  )
  return rows[0]?.n ?? -1
}

/** Runs the command as an operator does; `output` is what it has printed so far. */
function startMove(env: Env = {}): { child: ChildProcess; output(): string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, ['dist/services/content/main.js', 'move-documents'], {
    env: { PATH: process.env.PATH, DATABASE_URL: system.databaseUrl, ...grace, ...s3, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  return { child, output: () => text, ended: once(child, 'exit').then(([code]) => code as number | null) }
}

/** Restarts a content process with everything in S3, and waits until it responds. */
async function switchOver(): Promise<void> {
  const [first] = system.contents
  await first?.terminate()
  await expect.poll(async () => (await user.get('/readyz')).status).toBe(200)
}

describe('documents in S3', () => {
  const before: { path: string; sha256: string }[] = []
  let deleted: { path: string; sha256: string }

  it('coexist with those in Postgres, and processes with the new configuration read both', async () => {
    for (const size of [100_000, 3 * megabyte, 12 * megabyte])
      for (let n = 0; n < 4; n += 1) before.push(await save('snippets', dataOf(size)))
    expect(await rowsLeft()).toBeGreaterThan(0)
    await switchOver()
    for (const one of before) expect(await read(one)).toBe(one.sha256)
    const rows = await rowsLeft()
    for (const plural of ['snippets', 'shares'] as const) {
      const one = await save(plural, dataOf(12 * megabyte))
      expect(await read(one)).toBe(one.sha256)
      before.push(one)
    }
    expect(await rowsLeft()).toBe(rows)
  })

  it('are joined by those in Postgres while the system runs, although the command is killed repeatedly', async () => {
    deleted = before.shift() ?? (await save('snippets', dataOf(100_000)))
    for (let round = 0; round < 3; round += 1) {
      const move = startMove()
      await sleep(500 + 300 * round)
      if (round === 1) expect((await user.delete(deleted.path)).status).toBe(200)
      move.child.kill('SIGKILL')
      await move.ended
      for (const one of before.slice(0, 3)) expect(await read(one)).toBe(one.sha256)
    }
    const astray = startMove({ S3_ENDPOINT: 'http://127.0.0.1:1' })
    expect(await astray.ended, astray.output()).toBe(1)
    expect(astray.output()).toMatch(/\d+ documents could not be moved/)
    const moves = [startMove(), startMove()]
    for (const move of moves) expect(await move.ended, move.output()).toBe(0)
    expect(moves.map(({ output }) => output()).join('')).toMatch(/\d+ documents \(\d+ MB\) moved/)
    await expect.poll(rowsLeft).toBe(0)
    for (const one of before) expect(await read(one)).toBe(one.sha256)
    await expect.poll(async () => (await bucket.keys()).length).toBe(before.length)
  })

  it('are deleted from the bucket when nothing refers to them any more', async () => {
    const gone = before.splice(0, 3)
    for (const { path } of gone) expect((await user.delete(path)).status).toBe(200)
    await expect.poll(async () => (await bucket.keys()).length).toBe(before.length)
  })

  it('are 503 with Retry-After when it is unreachable, while small data keeps working', async () => {
    const small = await save('snippets', '{"small":true}')
    await server.kill()
    const [large] = before
    const response = await user.get(`${large?.path}/raw`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ])
    const refused = await upload(dataOf(12 * megabyte))
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(await read(small)).toBe(small.sha256)
    await server.restart()
    expect(await read(large ?? small)).toBe((large ?? small).sha256)
    expect(await read(await save('shares', dataOf(3 * megabyte)))).toHaveLength(64)
  })

  it('are 503 with Retry-After from processes that have not been switched', async () => {
    const [old, switched] = system.contents
    await old?.restart()
    await switched?.terminate()
    const [large] = before
    const isElsewhere = async (): Promise<boolean> => {
      await user.get(`${large?.path}/raw`)
      return old?.output().includes('document_elsewhere') === true
    }
    await expect.poll(isElsewhere).toBe(true)
    for (const path of [`${large?.path}/raw`, `${large?.path}`]) {
      const response = await user.get(path)
      expect([response.status, response.headers.get('retry-after')], path).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
      ])
    }
    await switched?.restart()
    await old?.terminate()
    await expect.poll(async () => (await user.get(`${large?.path}/raw`)).status).toBe(200)
    expect(await read(large ?? { path: '' })).toBe(large?.sha256)
  })
})

describe('move-documents', () => {
  it('reports an invalid configuration', async () => {
    const move = startMove({ DOCUMENT_STORE: 'postgres' })
    expect([await move.ended, move.output()]).toEqual([
      78,
      expect.stringContaining('DOCUMENT_STORE must be s3'),
    ])
  })
})

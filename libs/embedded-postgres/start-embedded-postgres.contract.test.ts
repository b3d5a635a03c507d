import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../runtime/is-alive.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.js'

let dataDir = ''
const started: EmbeddedPostgres[] = []

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  started.push(server)
  return server
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  // Emitted when the server is killed while the client is connected.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-embedded-'))
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
  await rm(dataDir, { recursive: true, force: true })
})

test('the first start creates a crash-safe UTF-8 database that listens on loopback only', async () => {
  const { url } = await start()
  const settings = await query(
    url,
    `SELECT name, setting FROM pg_settings
      WHERE name IN ('fsync', 'synchronous_commit', 'server_encoding', 'listen_addresses', 'unix_socket_directories', 'password_encryption')
      ORDER BY name`,
  )
  expect(settings).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'password_encryption', setting: 'scram-sha-256' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: '' },
  ])
  expect((await stat(join(dataDir, 'password'))).mode & 0o077).toBe(0)
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password/)
})

test('a second start on the same folder finds its data, at the same address', async () => {
  const first = await start()
  await query(first.url, `CREATE TABLE kept AS SELECT 'yes' AS response`)
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)
  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'SELECT kept.response FROM kept')).toEqual([{ response: 'yes' }])
})

test('commits survive kill -9', async () => {
  const first = await start()
  await query(first.url, `CREATE TABLE kept AS SELECT 'yes' AS response`)
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  const second = await start()
  expect(await query(second.url, 'SELECT kept.response FROM kept')).toEqual([{ response: 'yes' }])
})

test('a server left behind by an earlier run is stopped and replaced', async () => {
  const orphan = await start()
  const next = await start()
  await orphan.exited
  expect(isAlive(orphan.pid)).toBe(false)
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a pid file whose pid was reused does not prevent the start, nor harm that process', async () => {
  const first = await start()
  await first.stop()
  await writeFile(
    join(dataDir, 'cluster', 'postmaster.pid'),
    `${process.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n\nready\n`,
  )
  const second = await start()
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a killed initdb is started over', async () => {
  await mkdir(join(dataDir, 'unfinished-abc', 'cluster', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'unfinished-abc', 'cluster', 'PG_VERSION'), '18\n')
  const { url } = await start()
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('unfinished-'))).toEqual([])
})

test('a port taken meanwhile is replaced with another one', async () => {
  const first = await start()
  await first.stop()
  const { createServer } = await import('node:net')
  const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  try {
    const second = await start()
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
  } finally {
    squatter.close()
  }
})

test('a folder without PG_VERSION is explained and left unchanged', async () => {
  await (await start()).stop()
  await rm(join(dataDir, 'cluster', 'PG_VERSION'))
  await expect(start()).rejects.toThrow(
    /cluster is damaged: its PG_VERSION is missing.*restore .* or delete it/,
  )
  expect(await readdir(join(dataDir, 'cluster'))).toContain('base')
})

test('a folder of another major version is explained', async () => {
  await (await start()).stop()
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '15\n')
  await expect(start()).rejects.toThrow(/belongs to Postgres 15 but this release brings Postgres 18/)
})

test('a folder that Postgres itself cannot read is explained in its words', async () => {
  await (await start()).stop()
  await writeFile(join(dataDir, 'cluster', 'global', 'pg_control'), 'rubbish')
  await expect(start()).rejects.toThrow(/could not start: ".+".*delete it to begin with an empty database/)
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toMatch(/PANIC|FATAL/)
})

test('a lost password is explained', async () => {
  await (await start()).stop()
  await rm(join(dataDir, 'password'))
  await expect(start()).rejects.toThrow(/password of the embedded Postgres is missing/)
})

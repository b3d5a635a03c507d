import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../log/logger.js'
import { createTestAuthority } from '../testing/test-certificates.js'
import { testPort } from '../testing/test-port.js'
import { healthClient } from './health-client.js'
import { type RunningServer, type ServerOptions, startGrpcServer } from './server.js'
import { openTransport, plainTransport, type Transport } from './transport.js'

const log = createLogger('test', 'silent')
let folder = ''
let host = ''
const running: RunningServer[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-socket-'))
  host = `unix:${join(folder, 'it.sock')}`
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function serve(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const usual = { host, port: 0, healthPort: null, transport: plainTransport, log }
  const server = await startGrpcServer({ ...usual, ...options }, [])
  running.push(server)
  return server
}

async function isServed(target: string, transport: Transport = plainTransport): Promise<boolean> {
  const client = healthClient(target, transport.channelCredentials('content'))
  const found = await client.isServing(3_000)
  client.close()
  return found
}

test('a server listens on a Unix socket, on no port, and removes the socket when it stops', async () => {
  const port = await testPort()
  const server = await serve({ port })
  expect(await isServed(host)).toBe(true)
  expect(await isServed(`127.0.0.1:${port}`)).toBe(false)
  running.splice(0)
  await server.stop()
  expect(await readdir(folder)).toEqual([])
})

test('callers survive the renewal of their connection', async () => {
  await serve({ connectionAgeMs: 100 })
  const client = healthClient(host, plainTransport.channelCredentials('content'))
  const responses: boolean[] = []
  for (const until = Date.now() + 1_000; Date.now() < until; ) responses.push(await client.isServing(3_000))
  client.close()
  expect(new Set(responses)).toEqual(new Set([true]))
})

test('a second server on a used socket fails, and the first keeps it', async () => {
  await serve()
  await expect(serve()).rejects.toThrow(/EADDRINUSE/)
  expect(await isServed(host)).toBe(true)
})

test('a file that is not a socket is not replaced', async () => {
  await writeFile(join(folder, 'it.sock'), 'dear reader')
  await expect(serve()).rejects.toThrow(/EADDRINUSE/)
})

test('callers authenticate over a Unix socket too', async () => {
  const authority = createTestAuthority()
  const transport = openTransport(authority.issue('content'), log)
  await serve({ transport })
  expect(await isServed(host, transport)).toBe(true)
  expect(await isServed(host)).toBe(false)
  transport.close()
  authority.remove()
})

test('the health port of a server on a Unix socket is on loopback', async () => {
  const port = await testPort()
  await serve({ healthPort: port })
  expect(await isServed(`127.0.0.1:${port}`)).toBe(true)
})

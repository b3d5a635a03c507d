import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestAuthority, type TestAuthority } from '#libs/testing/test-certificates.js'
import { buildCommandLine, type CommandLine } from './harness/command-line.js'

let cli: CommandLine
let authority: TestAuthority
let origin: Server
let plain: Server
let proxy: Server
/** The first line of each request that the proxy got, and its credentials. */
const asked: string[] = []
let status = 200

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

function respond(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ path: request.url, host: request.headers.host }))
}

/** Leads every tunnel to the one server there is, as a proxy with its own DNS would. */
function tunnel({ url, headers }: IncomingMessage, socket: Socket): void {
  asked.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? ''}`.trim())
  if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
  const onward = connect(portOf(origin), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(onward).pipe(socket)
  })
  for (const one of [socket, onward]) one.on('error', () => one.destroy())
}

beforeAll(async () => {
  cli = await buildCommandLine()
  authority = createTestAuthority()
  const { certFile, keyFile } = authority.issue('snip', { subjectAltName: 'DNS:snip.invalid' })
  origin = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, respond)
  plain = createServer(respond)
  proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  proxy.on('connect', tunnel)
  await Promise.all([origin, plain, proxy].map(listening))
})
beforeEach(() => {
  asked.length = 0
  status = 200
})
afterAll(async () => {
  for (const server of [origin, plain, proxy]) {
    server?.closeAllConnections()
    server?.close()
  }
  authority?.remove()
  await cli?.stop()
})

async function call(server: string, more: Readonly<Record<string, string>>) {
  const env = { SNIPKEEP_KEY: 'a-key', NODE_EXTRA_CA_CERTS: authority.caFile, ...more }
  const { code, out, err } = await cli.run(
    ['api', 'GET', '/api/plans', '--server', server, '--no-retry'],
    '',
    env,
  )
  return { code, out: out.toString(), err }
}

it('https goes through a tunnel of the proxy, with the authority of the company', async () => {
  const proxied = { HTTPS_PROXY: `http://me:w%20rd@127.0.0.1:${portOf(proxy)}` }
  const found = await call('https://snip.invalid', proxied)
  expect(found.err).toBe('')
  expect(JSON.parse(found.out)).toEqual({ path: '/api/plans', host: 'snip.invalid' })
  expect(asked).toEqual([`CONNECT snip.invalid:443 Basic ${Buffer.from('me:w rd').toString('base64')}`])
})

it('a certificate of another name, or of an unknown authority, is refused in a tunnel, too', async () => {
  const proxied = { HTTPS_PROXY: `127.0.0.1:${portOf(proxy)}` }
  expect((await call('https://other.invalid', proxied)).code).not.toBe(0)
  expect((await call('https://snip.invalid', { ...proxied, NODE_EXTRA_CA_CERTS: '' })).code).not.toBe(0)
  expect(asked).toEqual(['CONNECT other.invalid:443', 'CONNECT snip.invalid:443'])
})

it('http goes to the proxy with the whole address', async () => {
  const found = await call('http://localhost:1', { http_proxy: `http://127.0.0.1:${portOf(proxy)}` })
  expect(JSON.parse(found.out)).toEqual({
    path: 'http://localhost:1/api/plans',
    host: 'localhost:1',
  })
})

it('what NO_PROXY means goes directly', async () => {
  const env = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NO_PROXY: 'snip.invalid,127.0.0.0/8' }
  const found = await call(`http://127.0.0.1:${portOf(plain)}`, env)
  expect(JSON.parse(found.out)).toMatchObject({ path: '/api/plans' })
  expect(asked).toEqual([])
})

it('a proxy that refuses, or is none, is named in the error', async () => {
  status = 407
  const refused = await call('https://snip.invalid', { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` })
  expect([refused.code, refused.err]).toEqual([
    7,
    expect.stringContaining('responds with 407 to a tunnel to snip.invalid:443'),
  ])
  const none = await call('https://snip.invalid', { HTTPS_PROXY: 'socks5://127.0.0.1:1' })
  expect([none.code, none.err]).toEqual([
    7,
    expect.stringContaining('HTTPS_PROXY must be the address of an HTTP proxy'),
  ])
})

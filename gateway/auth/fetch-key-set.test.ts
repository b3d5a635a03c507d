import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchKeySet, issuerTimeoutMs } from './fetch-key-set.js'
import { type LocalServer, startLocalIssuer, startLocalServer } from './testing/local-server.js'
import { newSigningKey } from './testing/signing-key.js'

const { fetch } = globalThis
const good = newSigningKey('good', 'RS256').jwk
const goodSet = JSON.stringify({ keys: [good] })
const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' })

const servers: LocalServer[] = []

async function serving(start: Promise<LocalServer>): Promise<LocalServer> {
  const server = await start
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

const respondWith =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  }

/** Sends the start of a valid set, and then one space at a time without end. */
function drip(response: ServerResponse): void {
  response.write('{"keys":[')
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => clearInterval(timer))
}

const spaces = (bytes: number): string => goodSet.padEnd(bytes)

/** Responses that are not a valid key set. */
const listeners: readonly (readonly [name: string, listener: RequestListener])[] = [
  ['500', respondWith(goodSet, 500)],
  ['404', respondWith(goodSet, 404)],
  ['503', respondWith(goodSet, 503, { 'Retry-After': '1' })],
  ['201', respondWith(goodSet, 201)],
  ['204', respondWith('', 204)],
  ['nothing', respondWith('')],
  ['a page', respondWith('<!doctype html><title>Sign in</title>', 200, { 'Content-Type': 'text/html' })],
  ['no keys at all', respondWith('{"keys":[]}')],
  ['a list', respondWith(`[${JSON.stringify(good)}]`)],
  ['keys that are no list', respondWith('{"keys":{}}')],
  ['keys twice, the second empty', respondWith(`${goodSet.slice(0, -1)},"keys":[]}`)],
  ['half of the text', respondWith(goodSet.slice(0, 100))],
  [
    'text that is not UTF-8',
    respondWith(Buffer.concat([Buffer.from(goodSet.slice(0, -1)), Buffer.from([0xff, 0x7d])])),
  ],
  ['a key with the exponent 1', respondWith(JSON.stringify({ keys: [{ ...good, e: 'AQ' }] }))],
  ['a key of 1,024 bits', respondWith(JSON.stringify({ keys: [{ ...short, kid: 'short' }] }))],
  ['10 MB', respondWith(spaces(10_000_000))],
  ['one byte too many', respondWith(spaces(262_145))],
  ['10 MB in a small gzip', respondWith(gzipSync(spaces(10_000_000)), 200, { 'Content-Encoding': 'gzip' })],
  ['a byte now and then', (_request, response) => drip(response)],
  ['no response', () => undefined],
  ['a broken connection', (request) => request.socket.destroy()],
  [
    'a connection that breaks within the text',
    (request, response) => {
      response.writeHead(200, { 'Content-Length': goodSet.length }).write(goodSet.slice(0, 50), () => {
        request.socket.destroy()
      })
    },
  ],
]

describe('a key set', () => {
  it('is found through the discovery document', async () => {
    const issuer = await serving(startLocalIssuer(respondWith(goodSet)))
    expect([...(await fetchKeySet(issuer.url, fetch)).keys()]).toEqual(['good'])
    expect(issuer.hits()).toBe(2)
  })

  it('may have 256 KiB', async () => {
    const issuer = await serving(startLocalIssuer(respondWith(spaces(262_144))))
    expect((await fetchKeySet(issuer.url, fetch)).size).toBe(1)
  })

  it.each(listeners)('is rejected if the issuer’s response is: %s', async (_name, listener) => {
    const issuer = await serving(startLocalIssuer(listener))
    await expect(fetchKeySet(issuer.url, fetch, 300)).rejects.toThrow()
  })

  it.each([301, 302, 303, 307, 308])('is not fetched from a redirect’s target (%i)', async (status) => {
    const elsewhere = await serving(startLocalServer(respondWith(goodSet)))
    const issuer = await serving(startLocalIssuer(respondWith('', status, { Location: elsewhere.url })))
    await expect(fetchKeySet(issuer.url, fetch)).rejects.toThrow()
    expect(elsewhere.hits()).toBe(0)
  })

  it('fails if nothing listens at its address', async () => {
    const issuer = await startLocalServer(respondWith(goodSet))
    await issuer.stop()
    await expect(fetchKeySet(issuer.url, fetch)).rejects.toThrow()
  })

  it('must arrive, with its discovery document, within two seconds', () => {
    expect(issuerTimeoutMs).toBe(2_000)
  })
})

describe('the discovery document', () => {
  /** The outcome for this discovery document, with valid keys behind it; `%` stands for the issuer. */
  async function fetchBehind(discovery: string, issuerPath = ''): Promise<readonly string[]> {
    const issuer = await serving(
      startLocalServer((request, response) => {
        const isDiscovery =
          request.url === `${issuerPath.replace(/\/$/, '')}/.well-known/openid-configuration`
        response.end(isDiscovery ? discovery.replaceAll('%', issuer.url) : goodSet)
      }),
    )
    return [...(await fetchKeySet(`${issuer.url}${issuerPath}`, fetch, 300)).keys()]
  }

  it.each([
    ['an issuer without a path', '', '{"issuer":"%","jwks_uri":"%/k"}'],
    ['an issuer with a path', '/realms/one', '{"issuer":"%/realms/one","jwks_uri":"%/k"}'],
    ['an issuer that ends with a slash', '/one/', '{"issuer":"%/one/","jwks_uri":"%/k"}'],
  ])('is accepted: %s', async (_name, path, discovery) => {
    expect(await fetchBehind(discovery, path)).toEqual(['good'])
  })

  it.each([
    '{"issuer":"%/","jwks_uri":"%/k"}',
    '{"issuer":"https://other.test","jwks_uri":"%/k"}',
    '{"jwks_uri":"%/k"}',
    '{"issuer":"%"}',
    '{"issuer":"%","jwks_uri":"/k"}',
    '{"issuer":"%","jwks_uri":["%/k"]}',
    '{"issuer":"%","jwks_uri":"file:///etc/passwd"}',
    '{"issuer":"%","jwks_uri":"data:application/json,{}"}',
    '{"issuer":"%","issuer":"https://other.test","jwks_uri":"%/k"}',
    '[]',
    'null',
    '<html>',
  ])('is rejected: %s', async (discovery) => {
    await expect(fetchBehind(discovery)).rejects.toThrow()
  })

  it('of an https issuer may not name an http address', async () => {
    const asked: string[] = []
    const listener = async (address: string): Promise<Response> => {
      asked.push(address)
      return Response.json({
        issuer: 'https://issuer.test',
        jwks_uri: 'http://issuer.test/keys',
        keys: [good],
      })
    }
    await expect(fetchKeySet('https://issuer.test', listener)).rejects.toThrow('jwks_uri')
    expect(asked).toEqual(['https://issuer.test/.well-known/openid-configuration'])
  })
})

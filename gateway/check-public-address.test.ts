import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { checkPublicAddress, checkShareAddress } from './check-public-address.js'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

interface Fixture {
  readonly ready?: number
  readonly checks?: Record<string, string>
  readonly name?: string
  readonly upload?: number
  /** Whether it serves shares only. */
  readonly sharesAlone?: boolean
  /** The response to every request instead. */
  readonly other?: string
}

async function serve(fixture: Fixture): Promise<string> {
  let url = ''
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (fixture.other !== undefined) return void response.end(fixture.other)
    if (fixture.sharesAlone) return void send(404, { code: 'not_found' })
    if (request.url === '/readyz')
      return void send(fixture.ready ?? 200, { checks: fixture.checks ?? { web: 'ok' } })
    if (request.url === '/api/openapi.json')
      return void send(200, { servers: [{ url: fixture.name ?? url }] })
    send(fixture.upload ?? 401, {})
  }
  const server = createServer(listener)
  server.on('checkContinue', listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return url
}

async function look(fixture: Fixture, production = false) {
  const publicBaseUrl = await serve(fixture)
  return checkPublicAddress({ publicBaseUrl, production, dataBytesMax: 52_428_800 })
}

const first = async (fixture: Fixture) =>
  (await look(fixture)).find(({ verdict }) => verdict === 'problem' || verdict === 'skipped')

test('an address that leads to this installation, is ready and accepts the longest body is ok', async () => {
  const found = await look({})
  expect(found.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok'])
  expect(found[2]?.message).toBe('bodies of 52494336 bytes reach the gateway')
})

test('a system that is not ready is reported with what is missing', async () => {
  const checks = { content: 'unreachable', web: 'ok' }
  expect(await first({ ready: 503, checks })).toMatchObject({ verdict: 'problem', remedy: 'start content' })
})

test('another server, and another installation, are problems', async () => {
  expect(await first({ other: '<html>' })).toMatchObject({
    message: expect.stringContaining('not as Snipkeep does'),
  })
  expect(await first({ name: 'https://other.example' })).toMatchObject({
    message: expect.stringContaining('calls itself https://other.example'),
  })
})

test('a proxy that rejects long bodies is a problem with the nginx setting that fixes it', async () => {
  expect(await first({ upload: 413 })).toMatchObject({
    check: 'body size',
    remedy: 'raise its limit, for nginx: client_max_body_size 51m;',
  })
  expect(await first({ upload: 429 })).toMatchObject({ check: 'body size', verdict: 'skipped' })
})

test('plain HTTP is a problem only in production', async () => {
  const [finding] = await look({}, true)
  expect(finding).toMatchObject({ verdict: 'problem', message: expect.stringContaining('is plain text') })
})

test('an address where nothing responds is a problem', async () => {
  const address = { publicBaseUrl: 'http://127.0.0.1:1', production: false, dataBytesMax: 1 }
  expect(await checkPublicAddress(address)).toMatchObject([
    { verdict: 'problem', remedy: 'start the gateway, or fix PUBLIC_BASE_URL' },
  ])
})

test('a share host serves only shares, or it is a problem with the setting that fixes it', async () => {
  const main = await serve({})
  const look = async (shareBaseUrl: string) => (await checkShareAddress(main, shareBaseUrl))[0]
  expect(await look(main)).toMatchObject({ verdict: 'ok' })
  expect(await look(await serve({ sharesAlone: true }))).toMatchObject({ verdict: 'ok' })
  for (const wrong of [await serve({}), await serve({ other: '<html>' }), 'http://127.0.0.1:1'])
    expect(await look(wrong)).toMatchObject({
      verdict: 'problem',
      remedy: expect.stringContaining('SHARE_BASE_URL'),
    })
})

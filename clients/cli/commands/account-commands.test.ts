import { afterEach, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { run } from '../run.js'
import { testTerminal } from '../testing/test-terminal.js'

const servers: JsonServer[] = []

afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())))

async function listen(...[serve]: Parameters<typeof startJsonServer>): Promise<JsonServer> {
  const server = await startJsonServer(serve)
  servers.push(server)
  return server
}

/** Signs in by code at a server on one host, with an issuer on another. */
async function signIn(isTTY: boolean, input: string) {
  const issuer = await listen((path, _headers, url) =>
    path === '/device'
      ? {
          device_code: 'd',
          user_code: 'ABCD',
          verification_uri: `${url}/enter`,
          expires_in: 600,
          interval: 600,
        }
      : {
          issuer: url,
          token_endpoint: `${url}/token`,
          device_authorization_endpoint: `${url}/device`,
        },
  )
  const named = (url: string): string => url.replace('127.0.0.1', 'localhost')
  const server = await listen((_path, _headers, url) => ({
    sign_in: { issuer: issuer.url, client_id: 'cli', scopes: 'openid' },
    public_base_url: named(url),
  }))
  const stop = new AbortController()
  const { terminal, err } = testTerminal(isTTY, { input, signal: stop.signal })
  const ended = run(['login', '--device', '--server', named(server.url)], terminal)
  return { ended, err, stop, issuer, server: `${named(server.url)}/` }
}

it('a sign-in by code at a server of another host says who gets which right, and needs a yes', async () => {
  const { ended, err, issuer, server } = await signIn(true, 'n\n')
  expect(await ended).toBe(1)
  expect(err()).toContain(
    `${new URL(issuer.url).host} signs you in; ${server} gets the right to act as you. Go on? [y/N] `,
  )
  expect(err()).not.toContain('ABCD')
})

it('a sign-in by code at a server of another host goes on after a yes', async () => {
  const { ended, err, stop } = await signIn(true, 'y\n')
  await expect.poll(err).toContain('type this code: ABCD')
  stop.abort()
  expect(await ended).toBe(130)
})

it('a sign-in by code at a server of another host is refused where nobody can be asked', async () => {
  const { ended, err } = await signIn(false, 'y\n')
  expect(await ended).toBe(2)
  expect(err()).toContain('Confirm that at a terminal, or sign in without --device.')
  expect(err()).not.toContain('ABCD')
})

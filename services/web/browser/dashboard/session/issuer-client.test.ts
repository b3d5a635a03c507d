import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issuerClient, type Tokens } from './issuer-client.js'

const tokens: Tokens = {
  idToken: 'header.credential.signature',
  refreshToken: 'refresh-me',
  logoutHint: 'session-1',
  expiresAtMs: 1,
  name: 'Ada',
}
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ issuer, end_session_endpoint: `${issuer}/end?theme=dark` }))
})
let issuer = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

async function endParameters(logout_needs_token: boolean): Promise<Readonly<Record<string, string>>> {
  const settings = {
    issuer,
    client_id: 'snipkeep',
    cli_client_id: 'snipkeep',
    scopes: 'openid',
    logout_needs_token,
  }
  const address = await issuerClient(settings, 'https://snipkeep.example').endAddress(tokens)
  return Object.fromEntries(address?.searchParams ?? [])
}

it('signing out identifies the user to the issuer without a token', async () => {
  expect(await endParameters(false)).toEqual({
    theme: 'dark',
    client_id: 'snipkeep',
    logout_hint: 'session-1',
    post_logout_redirect_uri: 'https://snipkeep.example/',
  })
})

it('an issuer that requires it gets the ID token', async () => {
  expect(await endParameters(true)).toEqual({
    theme: 'dark',
    client_id: 'snipkeep',
    id_token_hint: tokens.idToken,
    post_logout_redirect_uri: 'https://snipkeep.example/',
  })
})

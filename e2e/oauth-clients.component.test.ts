import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTrustingSystem, type TrustingSystem } from './harness/trusted-rules.js'

/** What RFC 8693 names. */
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

const client: oauth.Client = { client_id: 'a public client' }
/** Sends `client_id` in the form, as public clients do. */
const authentication = oauth.None()
const plainHttp = { [oauth.allowInsecureRequests]: true }

let world: TrustingSystem
let server: oauth.AuthorizationServer

beforeAll(async () => {
  world = await startTrustingSystem()
  const { base } = world
  server = {
    issuer: base,
    token_endpoint: `${base}/api/oauth/token`,
    revocation_endpoint: `${base}/api/oauth/revoke`,
  }
})
afterAll(() => world?.stop())

async function exchangeForm(fields: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    subject_token: await world.github.token(world.base),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    trusted_publisher: (await world.makeRule()).id,
    ...fields,
  }
}

function request(form: Record<string, string>, grant = exchangeGrant): Promise<Response> {
  return oauth.genericTokenEndpointRequest(server, client, authentication, grant, form, plainHttp)
}

describe('a standard OAuth client', () => {
  it.each([
    ['only what is required', {}],
    ['everything that RFC 8693 defines', { requested_token_type: accessTokenType, scope: 'read write' }],
    ['a parameter that no one knows', { no_one_knows: 'x' }],
  ])('exchanges a token with %s', async (_name, fields) => {
    const form = await exchangeForm({ ...fields, audience: world.base, resource: `${world.base}/` })
    const processed = await oauth.processGenericTokenEndpointResponse(server, client, await request(form))
    const { access_token: token, token_type: type, scope } = processed
    expect([type, scope, processed.issued_token_type]).toEqual(['bearer', 'read write', accessTokenType])
    expect((await world.bearer(token).get('/api/snippets')).status).toBe(200)
  })

  it('revokes a token', async () => {
    const exchanged = await request(await exchangeForm())
    const { access_token: token } = await oauth.processGenericTokenEndpointResponse(server, client, exchanged)
    const revoked = await oauth.revocationRequest(server, client, authentication, token, plainHttp)
    await expect(oauth.processRevocationResponse(revoked)).resolves.toBeUndefined()
    expect((await world.bearer(token).get('/api/snippets')).status).toBe(401)
  })

  it.each([
    ['unsupported_grant_type', 'password', { username: 'ann', password: 'secret' }],
    ['unsupported_grant_type', 'client_credentials', { scope: 'admin' }],
    ['invalid_request', exchangeGrant, {}],
  ])('gets %s for grant type %s', async (error, grant, form) => {
    const response = await request(form, grant)
    const refusal = oauth.processGenericTokenEndpointResponse(server, client, response)
    await expect(refusal).rejects.toMatchObject({ error, status: 400 })
  })
})

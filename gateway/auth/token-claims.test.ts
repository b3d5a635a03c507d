import { describe, expect, it } from 'vitest'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { verifierFixture } from './testing/verifier-fixture.js'

const fixture = verifierFixture()
const us = fixture.audience
const logout = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** Tokens of other kinds that issuers sign with the same keys. */
const others: readonly (readonly [name: string, claims: Record<string, unknown>])[] = [
  ['a logout token', { events: logout, sid: 's-1', jti: 'j-1' }],
  ['a logout token that names a typ', { events: logout, typ: 'Logout' }],
  ['a security event without a known type', { events: {} }],
  ['events null', { events: null }],
  ['a Keycloak access token', { typ: 'Bearer', azp: us, scope: 'openid email', sid: 's-1' }],
  ['a Keycloak access token without scopes', { typ: 'Bearer', azp: us }],
  ['a Keycloak access token with the nonce of old releases', { typ: 'Bearer', azp: us, nonce: 'n-1' }],
  ['a Keycloak refresh token', { typ: 'Refresh', azp: us }],
  ['a Keycloak offline token', { typ: 'Offline', azp: us }],
  ['a Rauthy access token', { typ: 'Bearer', azp: us, scope: 'openid email' }],
  ['a Rauthy access token bound by DPoP', { typ: 'DPoP', azp: us, cnf: { jkt: 'k-1' } }],
  ['a Rauthy refresh token', { typ: 'Refresh', azp: us, uid: 'u-1' }],
  ['a Rauthy logout token', { typ: 'logout+jwt', azp: us, events: logout }],
  ['a typ in other case', { typ: 'id' }],
  ['a typ in mixed case', { typ: 'iD' }],
  ['a typ that is no text', { typ: ['ID'] }],
  ['a Cognito access token', { token_use: 'access', client_id: us, scope: 'openid' }],
  ['a token_use of its own', { token_use: 'refresh' }],
  ['token_use null', { token_use: null }],
  ['an access token of RFC 9068 with another header', { client_id: us, scope: 'read write', jti: 'j-1' }],
  ['an Auth0 access token for an API', { scope: 'openid profile', gty: 'password' }],
  ['an Entra access token', { scp: 'access_as_user', ver: '2.0' }],
  ['an Okta access token', { scp: ['openid'], cid: us, uid: 'u-1' }],
  ['an access token with an empty scope', { scope: '' }],
]

/** ID tokens of known issuers. */
const idTokens: readonly (readonly [name: string, claims: Record<string, unknown>])[] = [
  ['Google', { azp: us, email: 'ada@example.com', email_verified: true, at_hash: 'a', hd: 'example.com' }],
  ['Entra', { ver: '2.0', tid: 't-1', oid: 'o-1', preferred_username: 'ada@example.com', nonce: 'n-1' }],
  ['Entra without a nonce', { ver: '2.0', tid: 't-1', oid: 'o-1' }],
  ['Auth0', { nickname: 'ada', updated_at: '2026-11-01T00:00:00Z', sid: 's-1' }],
  ['Keycloak', { typ: 'ID', azp: us, acr: '1', sid: 's-1', at_hash: 'a' }],
  ['Rauthy', { typ: 'Id', azp: us, scope: 'openid email', amr: ['pwd'], at_hash: 'a', roles: [] }],
  ['Cognito', { token_use: 'id', 'cognito:username': 'ada', auth_time: 1, event_id: 'e-1' }],
  ['Okta', { ver: 1, amr: ['pwd'], idp: 'i-1', auth_time: 1, at_hash: 'a' }],
  ['one that repeats the scope of its sign-in', { scope: 'openid email', nonce: 'n-1' }],
  ['one that repeats the scope beside an access token', { scope: 'openid email', at_hash: 'a' }],
  ['the least of OpenID Connect', {}],
]

describe('of the tokens an issuer signs for us', () => {
  it.each(others)('%s is rejected', async (_name, claims) => {
    expect(await outcomeOf(fixture.verifier.verify(fixture.token(claims)))).toEqual(invalid)
  })

  it.each(idTokens)('the ID token of %s is accepted', async (_name, claims) => {
    expect(await outcomeOf(fixture.verifier.verify(fixture.token(claims)))).toBe('accepted')
  })
})

import { describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { requiredClaimPairs, requiredClaims } from './required-claims.js'
import { outcomeOf } from './testing/outcome-of.js'
import { type VerifierFixture, verifierFixture } from './testing/verifier-fixture.js'

const read = (OIDC_REQUIRE_CLAIM: string) =>
  requiredClaims(
    readVariables({ OIDC_REQUIRE_CLAIM: requiredClaimPairs() }, { OIDC_REQUIRE_CLAIM }).OIDC_REQUIRE_CLAIM,
  )

function requiring(text: string): VerifierFixture {
  return verifierFixture(undefined, read(text))
}

/** 401 with its own message. */
const refused = { kind: 'unauthenticated', code: 'invalid_token' }

async function outcome(text: string, claims: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { verifier, token } = requiring(text)
  return outcomeOf(verifier.verify(token(claims)))
}

describe('a required claim', () => {
  it.each([
    ['hd=example.com', { hd: 'example.com' }],
    ['hd=example.com,hd=example.org', { hd: 'example.org' }],
    ['groups=staff', { groups: ['others', 'staff'] }],
    ['groups=staff,groups=admins', { groups: ['admins'] }],
    ['hd=example.com,email_verified=true', { hd: 'example.com', email_verified: true }],
    ['level=2', { level: 2 }],
    ['levels=2', { levels: [1, 2] }],
    ['https://a.example/roles=a=b', { 'https://a.example/roles': ['a=b'] }],
  ])('%s admits %j', async (text, claims) => {
    expect(await outcome(text, claims)).toBe('accepted')
  })

  it.each([
    ['hd=example.com', {}],
    ['hd=example.com', { hd: null }],
    ['hd=example.com', { hd: 'EXAMPLE.com' }],
    ['hd=example.com', { hd: 'example.com ' }],
    ['hd=example.com', { hd: 'example.com.evil.example' }],
    ['hd=example.com', { hd: { 'example.com': true } }],
    ['hd=example.com', { hd: [['example.com']] }],
    ['groups=staff', { groups: [] }],
    ['groups=staff', { groups: 'staff,others' }],
    ['hd=example.com,email_verified=true', { hd: 'example.com' }],
    ['hd=example.com,email_verified=true', { email_verified: true }],
    ['x=null', { x: null }],
    ['x=undefined', {}],
    ['constructor=x', {}],
  ])('%s does not admit %j', async (text, claims) => {
    expect(await outcome(text, claims)).toMatchObject(refused)
  })

  it('is named in the error for a genuine token, without the accepted values', async () => {
    const { verifier, token } = requiring('hd=secret.example')
    await expect(verifier.verify(token({ hd: 'other.example' }))).rejects.toThrow(
      /claim "hd".*Sign in with another account/,
    )
    await expect(verifier.verify(token({ hd: 'other.example' }))).rejects.not.toThrow(/secret/)
  })

  it('is not mentioned for a forged one', async () => {
    const { verifier, token } = requiring('hd=example.com')
    const [head, payload] = token({ hd: 'other.example' }).split('.')
    const forged = `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`
    await expect(verifier.verify(forged)).rejects.toThrow('Invalid or expired identity token')
  })

  it('rejects a token on every attempt', async () => {
    const { verifier, token } = requiring('hd=example.com')
    const outsider = token({ hd: 'other.example' })
    for (let round = 0; round < 3; round += 1) {
      expect(await outcomeOf(verifier.verify(outsider))).toMatchObject(refused)
    }
  })

  it.each(['hd', '=example.com', 'hd=', 'hd=a,=b'])('cannot be written as %s', (text) => {
    expect(() => read(text)).toThrow('OIDC_REQUIRE_CLAIM must be a comma-separated list of claim=value')
  })
})

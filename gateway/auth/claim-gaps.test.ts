import { describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { verifierFixture } from './testing/verifier-fixture.js'

const fixture = verifierFixture()
const issuer = fixture.issuer.url
const us = fixture.audience
const now = fixture.clock.seconds()

/** Changes to the claims for which a genuine token is rejected. */
const gaps: readonly (readonly [name: string, changes: Record<string, unknown>])[] = [
  ['no exp', { exp: undefined }],
  ['no iat', { iat: undefined }],
  ['no sub', { sub: undefined }],
  ['no aud', { aud: undefined }],
  ['no iss', { iss: undefined }],
  ['exp as a string', { exp: String(now + 60) }],
  ['exp null', { exp: null }],
  ['exp in a list', { exp: [now + 60] }],
  ['exp true', { exp: true }],
  ['exp zero', { exp: 0 }],
  ['exp negative', { exp: -now }],
  ['iat as a string', { iat: String(now) }],
  ['iat null', { iat: null }],
  ['iat negative', { iat: -1 }],
  ['iat in milliseconds', { iat: now * 1_000 }],
  ['nbf as a string', { nbf: String(now) }],
  ['nbf null', { nbf: null }],
  ['an empty sub', { sub: '' }],
  ['sub null', { sub: null }],
  ['sub a number', { sub: 42 }],
  ['sub an object', { sub: { id: 'alice' } }],
  ['sub in a list', { sub: ['alice'] }],
  ['NUL in sub', { sub: 'alice\u0000' }],
  ['a line break in sub', { sub: 'alice\n' }],
  ['DEL in sub', { sub: 'alice\u007f' }],
  ['a lone surrogate in sub', { sub: 'alice\ud800' }],
  ['a letter beyond ASCII in sub', { sub: 'alıce' }],
  ['a direction mark in sub', { sub: 'alice\u202e' }],
  ['a sub of 256 characters', { sub: 'x'.repeat(256) }],
  ['aud empty', { aud: '' }],
  ['aud null', { aud: null }],
  ['aud an empty list', { aud: [] }],
  ['aud an object', { aud: { 0: us } }],
  ['aud of another', { aud: 'other' }],
  ['aud in other case', { aud: us.toUpperCase() }],
  ['aud with a space', { aud: `${us} ` }],
  ['several aud without azp', { aud: [us, 'other'] }],
  ['our aud twice without azp', { aud: [us, us] }],
  ['several aud, azp of another', { aud: [us, 'other'], azp: 'other' }],
  ['aud nested in a list', { aud: [[us]] }],
  ['a foreign azp', { azp: 'other' }],
  ['azp null', { azp: null }],
  ['azp a list', { azp: [us] }],
  ['iss with a slash behind', { iss: `${issuer}/` }],
  ['iss in other case', { iss: issuer.toUpperCase() }],
  ['iss in punycode', { iss: 'https://xn--ssuer-6sa.test' }],
  ['iss with a letter that looks alike', { iss: 'https://\u0456ssuer.test' }],
  ['iss with its port', { iss: `${issuer}:443` }],
  ['iss by http', { iss: issuer.replace('https', 'http') }],
  ['iss without a scheme', { iss: 'issuer.test' }],
  ['iss in a list', { iss: [issuer] }],
  ['iss null', { iss: null }],
  ['iss the name of an object member', { iss: '__proto__' }],
]

/** Valid claims as text, with one of them replaced by raw text. */
function withText(name: string, text: string): string {
  return added(fixture.claims({ [name]: undefined }), `"${name}":${text}`)
}

/** Claims as text, with one more member. */
function added(claims: object, member: string): string {
  return `${JSON.stringify(claims).slice(0, -1)},${member}}`
}

const sound = JSON.stringify(fixture.claims())
/** About as deep as a token of 16 KB allows. */
const deepList = '['.repeat(5_900) + ']'.repeat(5_900)

/** Payloads that `JSON.stringify` cannot produce. */
const texts: readonly (readonly [name: string, text: string])[] = [
  ['exp above the largest number', withText('exp', '1e309')],
  ['exp below the smallest number', withText('exp', '-1e309')],
  ['iat above the largest number', withText('iat', '1e309')],
  ['iat below the smallest number', withText('iat', '-1e309')],
  ['nbf below the smallest number', withText('nbf', '-1e309')],
  ['exp NaN', withText('exp', 'NaN')],
  ['exp with a plus', withText('exp', '+1790000000')],
  ['a list', `[${sound}]`],
  ['a string', '"alice"'],
  ['null', 'null'],
  ['nothing but a space', ' '],
  ['text after the object', `${sound}x`],
  ['our aud before the aud of another', added(fixture.claims(), '"aud":"other"')],
  ['an empty sub after a valid one', added(fixture.claims(), '"s\\u0075b":""')],
  ['a list of maximum depth', deepList],
  ['a sub of maximum depth', `{"sub":${deepList}}`],
  ['objects that are never closed', '{"a":'.repeat(2_000)],
  ['members of prototypes', `{"__proto__":${sound},"constructor":${sound}}`],
]

describe('a genuine token is rejected for its claims', () => {
  it.each(gaps)('%s', async (_name, changes) => {
    expect(await outcomeOf(fixture.verifier.verify(fixture.token(changes)))).toEqual(invalid)
  })

  it.each(texts)('%s', async (_name, payload) => {
    expect(await outcomeOf(fixture.verifier.verify(signedBy(fixture.key, payload)))).toEqual(invalid)
  })

  it.each(['at+jwt', 'application/jwt', 'JWE', 'logout+jwt', '', null, ['JWT'], 1])('typ %j', async (typ) => {
    const token = signedBy(fixture.key, fixture.claims(), { typ })
    expect(await outcomeOf(fixture.verifier.verify(token))).toEqual(invalid)
  })

  it('payload that is not UTF-8', async () => {
    const [header] = fixture.token().split('.')
    const bytes = Buffer.from(JSON.stringify(fixture.claims({ name: '?' })))
    bytes[bytes.indexOf('?')] = 0xff
    const input = `${header}.${bytes.toString('base64url')}`
    const token = `${input}.${fixture.key.sign(input).toString('base64url')}`
    expect(await outcomeOf(fixture.verifier.verify(token))).toEqual(invalid)
  })

  it('a payload with prototype keys leaves prototypes unchanged', async () => {
    const token = signedBy(fixture.key, added(fixture.claims(), '"__proto__":{"polluted":true}'))
    expect(await outcomeOf(fixture.verifier.verify(token))).toBe('accepted')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

it('the same token with all claims is accepted', async () => {
  expect(await outcomeOf(fixture.verifier.verify(fixture.token()))).toBe('accepted')
  expect(await outcomeOf(fixture.verifier.verify(signedBy(fixture.key, sound)))).toBe('accepted')
})

it.each([
  ['a list of audiences with a number in it', JSON.stringify(fixture.claims({ aud: [us, 1], azp: us }))],
  ['aud twice', `{"aud":"other",${sound.slice(1)}`],
  ['a byte order mark', `\ufeff${sound}`],
])('oddities that only the issuer can sign are accepted: %s', async (_name, payload) => {
  expect(await outcomeOf(fixture.verifier.verify(signedBy(fixture.key, payload)))).toBe('accepted')
})

it('of a duplicate claim the last one counts, as in RFC 7519', async () => {
  const payload = added(fixture.claims(), '"s\\u0075b":"bob"')
  expect(await fixture.verifier.verify(signedBy(fixture.key, payload))).toMatchObject({ subject: 'bob' })
})

it('an unused claim may be nested as deep as the token allows', async () => {
  const token = signedBy(fixture.key, withText('x', deepList))
  expect(await outcomeOf(fixture.verifier.verify(token))).toBe('accepted')
})

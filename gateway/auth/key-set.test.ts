import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readKeySet } from './key-set.js'
import { newSigningKey } from './testing/signing-key.js'

const ec = newSigningKey('ec').jwk
const rsa = newSigningKey('rsa', 'RS256').jwk
const okp = newSigningKey('okp', 'EdDSA').jwk
const { use: _use, alg: _alg, ...bare } = ec

const kids = async (keys: unknown): Promise<string[]> => [...(await readKeySet(keys)).keys()]

describe('a usable key', () => {
  it.each([
    ['EC P-256', ec],
    ['RSA of 2,048 bits', rsa],
    ['Ed25519', okp],
    ['Ed25519 by its newer name', { ...okp, alg: 'Ed25519' }],
    ['without use and alg', bare],
    ['with key_ops that include verify', { ...bare, key_ops: ['verify'] }],
    [
      'with certificates, which no one reads',
      { ...rsa, x5c: ['x'], x5t: 'y', x5u: 'https://elsewhere.test' },
    ],
  ])('is read: %s', async (_name, jwk) => {
    expect(await kids([jwk])).toEqual([jwk.kid])
  })

  it('has the same thumbprint however its set is written', async () => {
    const once = (await readKeySet([ec])).get('ec')
    const again = (await readKeySet([rsa, { ...bare, key_ops: ['verify'] }])).get('ec')
    expect(again?.thumbprint).toBe(once?.thumbprint)
    expect((await readKeySet([rsa])).get('rsa')?.thumbprint).not.toBe(once?.thumbprint)
  })

  it.each([
    ['RSA', rsa, ['RS256']],
    ['EC', ec, ['ES256']],
    ['OKP', okp, ['EdDSA', 'Ed25519']],
  ])('allows the algorithms of its kind alone: %s', async (_name, jwk, algorithms) => {
    const [key] = (await readKeySet([jwk])).values()
    const names = ['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519', 'HS256', 'none']
    const allowed = await Promise.allSettled(
      names.map((alg) => key?.forHeader({ alg }, { payload: '', signature: '' })),
    )
    expect(names.filter((_name, index) => allowed[index]?.status === 'fulfilled')).toEqual(algorithms)
  })
})

const weakRsa = (modulusLength: number, publicExponent = 65_537): object => ({
  ...generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' }),
  kid: 'weak',
})
const curve = (namedCurve: string): object => ({
  ...generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' }),
  kid: 'curve',
})

/** Keys that are skipped, each for the reason in its name. */
const useless: readonly (readonly [name: string, jwk: unknown])[] = [
  ['RSA of 1,024 bits', weakRsa(1_024)],
  ['RSA with the exponent 3', weakRsa(2_048, 3)],
  ['RSA with the exponent 1', { ...rsa, e: 'AQ' }],
  ['RSA with an even exponent', { ...rsa, e: 'AQAC' }],
  ['RSA with a huge exponent', { ...rsa, e: rsa.n }],
  ['RSA with a huge modulus', { ...rsa, n: Buffer.alloc(1_025, 255).toString('base64url') }],
  ['RSA with an empty modulus', { ...rsa, n: '' }],
  ['RSA without an exponent', { ...rsa, e: undefined }],
  ['RSA for another algorithm', { ...rsa, alg: 'PS256' }],
  ['RSA for encryption', { ...rsa, alg: 'RSA-OAEP', use: 'enc' }],
  ['EC P-384', curve('P-384')],
  ['EC secp256k1', curve('secp256k1')],
  ['EC with a point off its curve', { ...bare, y: bare.x }],
  ['EC for another algorithm', { ...ec, alg: 'ES384' }],
  ['EC with the kind RSA', { ...ec, kty: 'RSA' }],
  ['Ed25519 with too few bytes', { ...okp, x: 'AAAA' }],
  ['X25519', { ...okp, crv: 'X25519', alg: undefined }],
  ['a symmetric key', { kty: 'oct', kid: 'oct', k: 'c2VjcmV0', alg: 'HS256' }],
  ['a private key', { ...ec, d: ec.x }],
  ['one for another use', { ...ec, use: 'enc' }],
  ['use null', { ...ec, use: null }],
  ['one for other operations', { ...bare, key_ops: ['sign'] }],
  ['key_ops that is no list', { ...bare, key_ops: 'verify' }],
  ['no kid', { ...ec, kid: undefined }],
  ['an empty kid', { ...ec, kid: '' }],
  ['a kid of 256 characters', { ...ec, kid: 'k'.repeat(256) }],
  ['a kid that is a number', { ...ec, kid: 1 }],
  ['a kid with a control', { ...ec, kid: 'a\u0000' }],
  ['no kind', { ...ec, kty: undefined }],
  ['null', null],
  ['a string', 'key'],
  ['a list', [ec]],
]

describe('a useless key', () => {
  it.each(useless)('is skipped while the others are used: %s', async (_name, jwk) => {
    const good = newSigningKey('good').jwk
    expect(await kids([jwk, good])).toEqual(['good'])
  })

  it.each(useless)('alone makes a set unusable: %s', async (_name, jwk) => {
    await expect(readKeySet([jwk])).rejects.toThrow('no usable key')
  })
})

describe('a set', () => {
  it('in which two usable keys of one type share a kid is unusable', async () => {
    const other = { ...newSigningKey('other').jwk, kid: 'ec' }
    await expect(readKeySet([ec, other, okp])).rejects.toThrow('share a kid')
    await expect(readKeySet([ec, { ...rsa, kid: 'ec' }, other])).rejects.toThrow('share a kid')
  })

  it('may have keys of different types with one kid, which the algorithm tells apart', async () => {
    const sharing = [{ ...rsa, kid: 'ec' }, ec, { ...okp, kid: 'ec' }, { ...weakRsa(1_024), kid: 'ec' }]
    const set = await readKeySet(sharing)
    expect([...set.keys()]).toEqual(['ec'])
    const kindFor = async (alg: string) => {
      const key = await set.get('ec')?.forHeader({ alg, kid: 'ec' }, { payload: '', signature: '' })
      return Reflect.get(Object(Reflect.get(Object(key), 'algorithm')), 'name')
    }
    expect(await Promise.all(['RS256', 'ES256', 'EdDSA'].map(kindFor))).toEqual([
      'RSASSA-PKCS1-v1_5',
      'ECDSA',
      'Ed25519',
    ])
    const reversed = (await readKeySet(sharing.reverse())).get('ec')
    expect(reversed?.thumbprint).toBe(set.get('ec')?.thumbprint)
    expect(reversed?.thumbprint).not.toBe((await readKeySet([ec])).get('ec')?.thumbprint)
  })

  it('may contain an encryption key with the same kid', async () => {
    expect(await kids([ec, { ...rsa, kid: 'ec', alg: undefined, use: 'enc' }])).toEqual(['ec'])
  })

  it('of more than 100 keys is rejected', async () => {
    await expect(readKeySet(Array.from({ length: 101 }, () => ec))).rejects.toThrow('too long')
  })

  it.each([[undefined], [null], [{}], ['keys'], [[]]])('that is %j cannot be used', async (keys) => {
    await expect(readKeySet(keys)).rejects.toThrow('the key set')
  })
})

import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { algorithms, type KeySet, readKeySet } from './key-set.js'
import { type Vector, wycheproofIsThere, wycheproofVectors } from './testing/wycheproof.js'
import { readKid } from './verify-identity-token.js'

/** The valid vectors that are accepted; the others use algorithms that are not allowed here. */
const validOfOurs: Readonly<Record<string, readonly number[]>> = {
  json_web_signature_test: [18, 33, 260, 261, 262, 263, 345, 349, 378],
  json_web_key_test: [5],
}

/**
 * Signed with a key of a broken generator (ROCA). Such a key can be factored, but no attacker chooses an issuer's key.
 */
const acceptedRoca = 7

/** The only valid vector of an allowed algorithm that is rejected: its payload is empty, and every token has claims. */
const emptyPayload = 259

/** An unusable key set rejects every token, as if an issuer had published it. */
async function keysOf(vector: Vector): Promise<KeySet> {
  try {
    return await readKeySet(vector.keys)
  } catch {
    return new Map()
  }
}

/** Verifies everything but the claims, which these vectors lack. */
async function isAccepted(vector: Vector): Promise<boolean> {
  const keys = await keysOf(vector)
  try {
    const key = keys.get(readKid(vector.jws))
    if (key === undefined) return false
    await compactVerify(vector.jws, key.forHeader, { algorithms })
    return true
  } catch {
    return false
  }
}

async function acceptedOf(vectors: readonly Vector[]): Promise<number[]> {
  const verdicts = await Promise.all(vectors.map(isAccepted))
  return vectors.filter((_vector, index) => verdicts[index]).map((vector) => vector.id)
}

const missing = wycheproofIsThere ? '' : ' (skipped: the corpus is not here; npm run corpora fetches it)'

describe.skipIf(!wycheproofIsThere)(`Wycheproof${missing}`, () => {
  it.each([
    ['json_web_signature_test', 401],
    ['json_web_key_test', 26],
  ] as const)(
    '%s: of %i vectors, every valid one of our algorithms is accepted, and no invalid one but ROCA',
    async (file, count) => {
      const vectors = wycheproofVectors(file)
      expect(vectors).toHaveLength(count)
      const others = file === 'json_web_key_test' ? [acceptedRoca] : []
      expect(await acceptedOf(vectors)).toEqual([...(validOfOurs[file] ?? []), ...others])
      const valid = vectors.filter((vector) => vector.isValid).map((vector) => vector.id)
      expect(valid).toEqual(expect.arrayContaining([...(validOfOurs[file] ?? [])]))
    },
  )

  it('a token with an empty payload is rejected although its signature is valid', async () => {
    const vector = wycheproofVectors('json_web_signature_test').filter(({ id }) => id === emptyPayload)
    expect(vector.map(({ isValid }) => isValid)).toEqual([true])
    expect(await acceptedOf(vector)).toEqual([])
  })
})

describe('an encrypted token', () => {
  const part = (text: string): string => Buffer.from(text).toString('base64url')
  const shapes: readonly (readonly [header: object, parts: readonly string[]])[] = [
    [{ alg: 'dir', enc: 'A128GCM', kid: 'k' }, ['', part('iv'), part('text'), part('tag')]],
    [{ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k' }, [part('key'), part('iv'), part('text'), part('tag')]],
    [{ alg: 'RSA1_5', enc: 'A128CBC-HS256', kid: 'k' }, [part('key'), part('iv'), part('text'), part('tag')]],
    [{ alg: 'ECDH-ES', enc: 'A128GCM', kid: 'k', epk: {} }, ['', part('iv'), part('text'), part('tag')]],
    [
      { alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', kid: 'k', p2c: 1e9 },
      [part('k'), part('iv'), part('x'), part('t')],
    ],
    [
      { alg: 'A128KW', enc: 'A128GCM', kid: 'k', zip: 'DEF' },
      [part('key'), part('iv'), part('text'), part('tag')],
    ],
    [{ alg: 'ES256', kid: 'k' }, [part('{}'), part('a'), part('b'), part('c')]],
    [{ alg: 'ES256', kid: 'k', enc: 'A128GCM' }, [part('{}'), part('signature')]],
    [{ alg: 'dir', enc: 'A128GCM', kid: 'k', cty: 'JWT' }, ['', '', '', '']],
  ]

  it.each(shapes)('%j is rejected', (header, parts) => {
    expect(() => readKid([part(JSON.stringify(header)), ...parts].join('.'))).toThrow(
      expect.objectContaining({ code: 'invalid_token' }),
    )
  })
})

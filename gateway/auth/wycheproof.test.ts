import { describe, expect, it } from 'vitest'
import { type KeySet, readKeySet } from './key-set.js'
import { parseSignedToken } from './signed-token.js'
import { outcomeOf } from './testing/outcome-of.js'
import { type Vector, wycheproofIsThere, wycheproofVectors } from './testing/wycheproof.js'
import { verifySignature } from './verify-signature.js'

/** Valid vectors that are refused all the same are those of algorithms that are not ours; these are of ours. */
const validOfOurs: Readonly<Record<string, readonly number[]>> = {
  json_web_signature_test: [18, 33, 260, 261, 262, 263, 345, 349, 378],
  json_web_key_test: [5],
}

/** The one valid vector of our algorithms that is refused: its payload is empty, and no token is without claims. */
const emptyPayload = 259

/** A set that cannot be used refuses every token, as it does when an issuer publishes it. */
async function keysOf(vector: Vector): Promise<KeySet> {
  try {
    return await readKeySet(vector.keys)
  } catch {
    return new Map()
  }
}

/** The way of every token that comes in, from its parts to its signature, with the keys of the vector. */
async function isAccepted(vector: Vector): Promise<boolean> {
  const keys = await keysOf(vector)
  const verify = async (): Promise<boolean> => {
    const token = parseSignedToken(vector.jws)
    const key = keys.get(token.kid)
    if (key === undefined) return false
    await verifySignature(token, key)
    return true
  }
  let accepted = false
  await outcomeOf(
    verify().then((verdict) => {
      accepted = verdict
    }),
  )
  return accepted
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
    '%s: of %i vectors no invalid one is accepted, and every valid one of ours is',
    async (file, count) => {
      const vectors = wycheproofVectors(file)
      expect(vectors).toHaveLength(count)
      expect(await acceptedOf(vectors)).toEqual(validOfOurs[file])
      const valid = vectors.filter((vector) => vector.isValid).map((vector) => vector.id)
      expect(valid).toEqual(expect.arrayContaining([...(validOfOurs[file] ?? [])]))
    },
  )

  it('a token with an empty payload is refused, its signature being true', async () => {
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

  it.each(shapes)('%j is refused', (header, parts) => {
    expect(() => parseSignedToken([part(JSON.stringify(header)), ...parts].join('.'))).toThrow(
      expect.objectContaining({ code: 'invalid_token' }),
    )
  })
})

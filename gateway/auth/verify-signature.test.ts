import { expect, it } from 'vitest'
import { readKeySet } from './key-set.js'
import { parseSignedToken } from './signed-token.js'
import { signedBy } from './testing/compact-token.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { verifySignature } from './verify-signature.js'

const signer = newSigningKey('key', 'EdDSA')
const token = parseSignedToken(signedBy(signer, { sub: 'alice' }, { alg: 'Ed25519' }))

it('a true signature is refused when the key does not allow the algorithm that the token names', async () => {
  const key = (await readKeySet([signer.jwk])).get('key')
  if (key === undefined) throw new Error('the key was not read')
  expect(await outcomeOf(verifySignature(token, key))).toBe('accepted')
  expect(await outcomeOf(verifySignature(token, { ...key, algorithms: ['EdDSA'] }))).toEqual(invalid)
})

it('a signature is refused by another key of the same kind', async () => {
  const key = (await readKeySet([newSigningKey('key', 'EdDSA').jwk])).get('key')
  if (key === undefined) throw new Error('the key was not read')
  expect(await outcomeOf(verifySignature(token, key))).toEqual(invalid)
})

import { compactVerify } from 'jose'
import { invalidToken } from './invalid-token.js'
import type { VerificationKey } from './key-set.js'
import type { SignedToken } from './signed-token.js'

/**
 * Checks that the key signed the token, with an algorithm that the key, not the token, allows.
 * @throws DomainError 401 `invalid_token` when it did not.
 */
export async function verifySignature(token: SignedToken, key: VerificationKey): Promise<void> {
  if (!key.algorithms.includes(token.algorithm)) throw invalidToken('the algorithm is not of the key')
  try {
    await compactVerify(token.compact, key.key, { algorithms: [token.algorithm] })
  } catch (cause) {
    throw invalidToken('the signature is not of the key', cause)
  }
}

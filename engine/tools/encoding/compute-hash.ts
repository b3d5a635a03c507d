import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_512 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { encodeBase64 } from './encode-base64.js'

/** WebCrypto would take the whole input at once. */
const algorithms = {
  'sha-256': sha256,
  'sha-384': sha384,
  'sha-512': sha512,
  'sha3-256': sha3_256,
  'sha3-512': sha3_512,
  'sha-1': sha1,
  md5,
} as const

interface HashOptions {
  readonly algorithm: keyof typeof algorithms
  readonly encoding: 'hex' | 'base64' | 'base64url'
}

/** Computes the digest of an input while it arrives. */
export async function* computeHash(
  input: AsyncIterable<Uint8Array>,
  { algorithm, encoding }: HashOptions,
): AsyncGenerator<Uint8Array> {
  const state = algorithms[algorithm].create()
  for await (const chunk of input) state.update(chunk)
  const digest = state.digest()
  if (encoding === 'hex') yield new TextEncoder().encode(bytesToHex(digest))
  else {
    const isUrl = encoding === 'base64url'
    const alphabet = isUrl ? 'url' : 'standard'
    async function* one(): AsyncGenerator<Uint8Array> {
      yield digest
    }
    yield* encodeBase64(one(), { alphabet, padding: !isUrl, line_length: 'none' })
  }
}

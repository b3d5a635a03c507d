import { createHash } from 'node:crypto'

// The hashes of Node, which the build puts in the place of the package that browsers need.

/** The part of a hash that the tool uses. */
function hashOf(algorithm: string) {
  return {
    create() {
      const state = createHash(algorithm)
      return { update: (bytes: Uint8Array) => state.update(bytes), digest: (): Uint8Array => state.digest() }
    },
  }
}

export const md5 = hashOf('md5')
export const sha1 = hashOf('sha1')
export const sha256 = hashOf('sha256')
export const sha384 = hashOf('sha384')
export const sha512 = hashOf('sha512')
export const sha3_256 = hashOf('sha3-256')
export const sha3_512 = hashOf('sha3-512')

/** The digits of bytes. */
export function bytesToHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

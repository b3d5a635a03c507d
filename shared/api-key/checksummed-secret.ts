import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '#libs/runtime/random-id.js'

/** 202 bits. */
const secretLength = 34
const checksumLength = 6

const rest = /^[0-9A-Za-z]{40}$/

function checksumOf(text: string): string {
  return toBase62(crc32(text), checksumLength)
}

/**
 * A new secret: the scheme, 34 random characters of base62, and the CRC-32 (ISO 3309, as zlib computes it) of all before
 * it as 6 characters of base62. The checksum is no secret; it detects mistyped ones without a lookup.
 */
export function newChecksummed(scheme: string): string {
  const text = `${scheme}${randomBase62(secretLength)}`
  return `${text}${checksumOf(text)}`
}

/** Whether a text has the shape and the checksum of a secret of this scheme. */
export function isChecksummed(text: string, scheme: string): boolean {
  if (!text.startsWith(scheme) || !rest.test(text.slice(scheme.length))) return false
  const end = text.length - checksumLength
  return checksumOf(text.slice(0, end)) === text.slice(end)
}

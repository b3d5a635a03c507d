import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '#libs/runtime/random-id.js'

const scheme = 'snk_'
/** 202 bits. */
const secretLength = 34
const checksumLength = 6

const shape = /^snk_[0-9A-Za-z]{40}$/

function checksumOf(text: string): string {
  return toBase62(crc32(text), checksumLength)
}

/**
 * A new API key: `snk_`, 34 random base62 characters, and the CRC-32 (ISO 3309, like zlib) of all of that as 6 base62
 * characters. The checksum protects no secret; it detects mistyped keys without a lookup.
 */
export function newApiKey(): string {
  const text = `${scheme}${randomBase62(secretLength)}`
  return `${text}${checksumOf(text)}`
}

/** Whether a text has the format and the checksum of an API key; only the store knows whether it is one. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const end = text.length - checksumLength
  return checksumOf(text.slice(0, end)) === text.slice(end)
}

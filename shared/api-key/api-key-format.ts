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
 * A new API key: `snk_`, 34 random characters of base62, and the CRC-32 (ISO 3309, as zlib computes it) of all before
 * it as 6 characters of base62. The checksum keeps no secret; it tells a mistyped key without asking anybody.
 */
export function newApiKey(): string {
  const text = `${scheme}${randomBase62(secretLength)}`
  return `${text}${checksumOf(text)}`
}

/** Whether a text has the shape and the checksum of an API key; whether it is one only its store knows. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const end = text.length - checksumLength
  return checksumOf(text.slice(0, end)) === text.slice(end)
}

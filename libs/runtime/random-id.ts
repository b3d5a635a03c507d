import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Random base62 text from the system's generator; 22 characters have 131 bits. Bytes beyond the last multiple of 62
 * are drawn again, so every character is equally likely.
 */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

/** A whole number in base62, padded with zeros to `length` characters. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = `${alphabet[rest % 62]}${text}`
  return text.padStart(length, '0')
}

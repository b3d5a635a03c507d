import { backslash } from '../../json-bytes/json-bytes.js'
import type { OutputBuffer } from '../output-buffer.js'

const encoder = new TextEncoder()

/** What is written for a byte: in text, and in attributes. */
function references(inAttributes: boolean): readonly (Uint8Array | undefined)[] {
  const all = Array.from({ length: 256 }, (): Uint8Array | undefined => undefined)
  const pairs: readonly (readonly [character: string, reference: string])[] = [
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['&', '&amp;'],
    ['\r', '&#xD;'],
    ...(inAttributes
      ? ([
          ['"', '&quot;'],
          ['\t', '&#x9;'],
          ['\n', '&#xA;'],
        ] as const)
      : []),
  ]
  for (const [character, reference] of pairs) all[character.charCodeAt(0)] = encoder.encode(reference)
  return all
}

const inText = references(false)
const inAttribute = references(true)

/** Writes a range of UTF-8 as text of XML, or as the value of an attribute in double quotes. */
export function putXmlText(
  out: OutputBuffer,
  bytes: Uint8Array,
  start: number,
  end: number,
  isAttribute: boolean,
): void {
  const table = isAttribute ? inAttribute : inText
  let from = start
  for (let at = start; at < end; at += 1) {
    const reference = table[bytes[at] as number]
    if (reference === undefined) continue
    out.putRange(bytes, from, at)
    out.putAll(reference)
    from = at + 1
  }
  out.putRange(bytes, from, end)
}

const [letterB, letterF, letterU] = [0x62, 0x66, 0x75]

function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let digit = 0; digit < 4; digit += 1) {
    const byte = bytes[at + digit] as number
    unit = 16 * unit + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return unit
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** Whether XML can hold what a JSON string, between its quotes, says: no control characters, no half of a pair. */
export function isXmlText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe) return false
    if (byte !== backslash) continue
    const letter = bytes[at + 1]
    if (letter === letterB || letter === letterF) return false
    at += 1
    if (letter !== letterU) continue
    const unit = unitAt(bytes, at + 1)
    at += 4
    if (isHigh(unit)) {
      const hasLow = bytes[at + 1] === backslash && bytes[at + 2] === letterU && isLow(unitAt(bytes, at + 3))
      if (!hasLow) return false
      at += 6
    } else if (isLow(unit) || unit >= 0xfffe || (unit < 0x20 && unit !== 9 && unit !== 10 && unit !== 13))
      return false
  }
  return true
}

/** Whether a JSON string, between its quotes, says nothing but white space. */
export function isBlankString(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === 0x20) continue
    if (bytes[at] !== backslash) return false
    at += 1
    const letter = bytes[at]
    if (letter === letterU) {
      const unit = unitAt(bytes, at + 1)
      if (unit !== 0x20 && unit !== 9 && unit !== 10 && unit !== 13) return false
      at += 4
    } else if (letter !== 0x6e && letter !== 0x72 && letter !== 0x74) return false
  }
  return true
}

/** U+FFFE and U+FFFF, which XML cannot hold, as their escapes; all else of a JSON string as it is spelled. */
export function putSpelledString(
  out: OutputBuffer,
  bytes: Uint8Array,
  start: number,
  end: number,
  isAttribute: boolean,
): void {
  let from = start
  // Not `indexOf`, which would look through all that follows.
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || (bytes[at + 2] as number) < 0xbe) continue
    putXmlText(out, bytes, from, at, isAttribute)
    out.putAll(encoder.encode(bytes[at + 2] === 0xbe ? '\\ufffe' : '\\uffff'))
    from = at + 3
  }
  putXmlText(out, bytes, from, end, isAttribute)
}

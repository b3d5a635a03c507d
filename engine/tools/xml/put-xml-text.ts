import { backslash, isSpace } from '../../json-bytes/json-bytes.js'
import { escapedCode, escapeLength } from '../../json-bytes/json-string-decoder.js'
import type { OutputBuffer } from '../output-buffer.js'
import { isXmlCharacter } from './xml-tokens.js'

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

/** Whether XML can hold what a JSON string, between its quotes, says: no control characters, no half of a pair. */
export function isXmlText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; ) {
    if (bytes[at] === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe) return false
    if (bytes[at] !== backslash) {
      at += 1
      continue
    }
    const code = escapedCode(bytes, at)
    if (!isXmlCharacter(code)) return false
    at += escapeLength(bytes, at, code)
  }
  return true
}

/** Whether a JSON string, between its quotes, says nothing but white space. */
export function isBlankString(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; ) {
    const isEscape = bytes[at] === backslash
    const code = isEscape ? escapedCode(bytes, at) : bytes[at]
    if (code === undefined || !isSpace(code)) return false
    at += isEscape ? escapeLength(bytes, at, code) : 1
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

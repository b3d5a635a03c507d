import { textPrefix } from '../readable.js'

/** The bytes of data that a page shows at most, and the lines. */
export const shownBytesMax = 65_536
const shownLinesMax = 200

/** A key longer than this makes a link that something on the way may refuse. */
const keyLengthMax = 200

/** Data as a page shows it. */
export interface ShownData {
  readonly lines: readonly string[]
  /** What is left out, if anything. */
  readonly cut: 'bytes' | 'lines' | null
  /** The key of the string that is shown as itself; `null` when the JSON text is shown as it was sent. */
  readonly key: string | null
}

interface LoneString {
  readonly key: string
  readonly value: string
}

const opening = /^\s*\{\s*("(?:[^"\\\p{Cc}]|\\.)*")\s*:\s*"/su
const stringBody = /^(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*/s
const closing = /^"\s*\}\s*$/
/** What an escape leaves that was cut in the middle. */
const brokenEscape = /^(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/

function parseString(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

/**
 * The one string of an object that holds nothing else, such as the `csv` of a CSV tool; `null` where there is more than
 * one member, a key given twice included. Of a text that goes on, the beginning of a first string that has not ended yet.
 */
function loneString(text: string, whole: boolean): LoneString | null {
  const start = opening.exec(text)
  if (start === null) return null
  const rest = text.slice(start[0].length)
  const body = stringBody.exec(rest)?.[0] ?? ''
  if (!(whole ? closing : brokenEscape).test(rest.slice(body.length))) return null
  const key = parseString(start[1] ?? '')
  const value = parseString(`"${body}"`)
  if (key === null || value === null || key.length > keyLengthMax || !key.isWellFormed()) return null
  // Half of a pair of escapes may have been cut off.
  return { key, value: whole ? value : value.replace(/[\ud800-\udbff]$/, '') }
}

/** What a page shows of data that begins with these bytes and has this many: a lone string as itself, else the text as sent. */
export function shownData(head: Uint8Array, sizeBytes: number): ShownData {
  const whole = sizeBytes <= shownBytesMax
  const text = textPrefix(head, shownBytesMax)
  const lone = loneString(text, whole)
  const allLines = (lone?.value ?? text).split(/\r\n|[\n\r\u2028\u2029]/)
  const lines = allLines.slice(0, shownLinesMax)
  const cut = lines.length < allLines.length ? 'lines' : whole ? null : 'bytes'
  return { lines, cut, key: lone?.key ?? null }
}

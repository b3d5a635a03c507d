import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
  valueEnd,
} from '../../json-bytes/json-bytes.js'
import { depthMax } from '../../json-bytes/json-scanner.js'
import { isXmlName } from './xml-names.js'

const prefixesMax = 100

/** What must be known of compact JSON before XML is made of it. */
export interface JsonSurvey {
  /** For each object, in the order in which they begin: 1 if it has text between its other members. */
  readonly hasText: Uint8Array
  /** The prefixes that members declare. */
  readonly prefixes: ReadonlySet<string>
  /** There are only objects that have members, arrays that have items, and strings: as XML without marks has them. */
  readonly isPlain: boolean
}

/** Looks at all of compact JSON. */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  let hasText = new Uint8Array(1_024)
  let objects = 0
  const open = new Int32Array(depthMax + 1)
  let depth = 0
  let isPlain = bytes[0] === openBrace
  const prefixes = new Set(['xml'])

  function key(start: number, end: number): void {
    const first = bytes[start + 1]
    if (first === 0x23 && /^"#(text|content)"$/.test(stringHeadOf(bytes, start, end)))
      hasText[open[depth] ?? 0] = 1
    if (first !== 0x40 || prefixes.size === prefixesMax) return
    const prefix = /^"@xmlns:([^"\\]+)"$/.exec(stringHeadOf(bytes, start, end))?.[1]
    if (prefix !== undefined) prefixes.add(prefix)
  }

  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      if (bytes[end] === colon) key(at, end)
      at = end
      continue
    }
    if (byte === openBrace || byte === openBracket) {
      depth += 1
      open[depth] = objects
      if (byte === openBrace) objects += 1
      if (objects === hasText.length) {
        const larger = new Uint8Array(2 * objects)
        larger.set(hasText)
        hasText = larger
      }
      if (bytes[at + 1] === closeBrace || bytes[at + 1] === closeBracket) isPlain = false
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte !== comma && byte !== colon) isPlain = false
    at += 1
  }
  return { hasText, prefixes, isPlain }
}

/** A short token; the beginning of a long one. */
function stringHeadOf(bytes: Uint8Array, start: number, end: number): string {
  return textBetween(bytes, start, Math.min(end, start + 200))
}

/** Whether a value is a string, or an array of strings. */
function isStrings(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === quote) return true
  if (bytes[start] !== openBracket) return false
  for (let at = start + 1; at < end - 1; ) {
    if (bytes[at] === comma) at += 1
    if (bytes[at] !== quote) return false
    at = stringEnd(bytes, at)
  }
  return true
}

/** The nodes that an object would be: `null` if one could be neither element nor comment nor instruction. */
function nodesOf(
  bytes: Uint8Array,
  start: number,
  prefixes: ReadonlySet<string>,
  allowsNotes: boolean,
): { readonly elements: number; readonly end: number } | null {
  let elements = 0
  let at = start + 1
  while (bytes[at] !== closeBrace) {
    if (bytes[at] === comma) at += 1
    const keyEnd = stringEnd(bytes, at)
    const key = keyEnd - at > 4_000 ? '' : stringBetween(bytes, at, keyEnd)
    const end = valueEnd(bytes, keyEnd + 1)
    if (key === '#comment' || key === '#pi') {
      if (!allowsNotes || !isStrings(bytes, keyEnd + 1, end)) return null
    } else if (isXmlName(key, prefixes) && bytes[keyEnd + 1] !== openBracket) elements += 1
    else return null
    if (elements > 1) return null
    at = end
  }
  return { elements, end: at + 1 }
}

/** Whether a value of compact JSON can be a document: an object of one element, and comments if they are allowed. */
export function isDocument(bytes: Uint8Array, prefixes: ReadonlySet<string>, allowsNotes: boolean): boolean {
  if (bytes[0] !== openBrace) return false
  const content = '{"#content":['
  const isContent = allowsNotes && stringHeadOf(bytes, 0, content.length) === content
  if (!isContent) return nodesOf(bytes, 0, prefixes, allowsNotes)?.elements === 1
  let elements = 0
  let at = content.length
  while (bytes[at] !== closeBracket) {
    if (bytes[at] === comma) at += 1
    const nodes = bytes[at] === openBrace ? nodesOf(bytes, at, prefixes, true) : null
    if (nodes === null) return false
    elements += nodes.elements
    at = nodes.end
  }
  return elements === 1 && bytes[at + 1] === closeBrace
}

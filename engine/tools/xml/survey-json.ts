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
} from '../../json-bytes/json-bytes.js'
import { depthMax } from '../../json-bytes/json-scanner.js'
import { eachChild, stopWalk } from '../../json-bytes/json-walk.js'
import { isXmlName } from './xml-names.js'

const prefixesMax = 100
/** More elements than a document may have. */
const many = 2

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
function isStrings(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] !== openBracket) return bytes[start] === quote
  const visit = (value: number) => (bytes[value] === quote ? undefined : stopWalk)
  return eachChild({ bytes }, start, visit) !== stopWalk
}

/** How many elements an object would be; many if a member could be neither element nor comment nor instruction. */
function elementsOf(
  bytes: Uint8Array,
  start: number,
  prefixes: ReadonlySet<string>,
  allowsNotes: boolean,
): number {
  let elements = 0
  eachChild({ bytes }, start, (value, child) => {
    const keyEnd = stringEnd(bytes, child)
    const key = keyEnd - child > 4_000 ? '' : stringBetween(bytes, child, keyEnd)
    const isNote = (key === '#comment' || key === '#pi') && allowsNotes && isStrings(bytes, value)
    const isElement = isXmlName(key, prefixes) && bytes[value] !== openBracket
    if (!isNote) elements += isElement ? 1 : many
    return elements > 1 ? stopWalk : undefined
  })
  return elements
}

/** Whether a value of compact JSON can be a document: an object of one element, and comments if they are allowed. */
export function isDocument(bytes: Uint8Array, prefixes: ReadonlySet<string>, allowsNotes: boolean): boolean {
  if (bytes[0] !== openBrace) return false
  const content = '{"#content":['
  const isContent = allowsNotes && stringHeadOf(bytes, 0, content.length) === content
  if (!isContent) return elementsOf(bytes, 0, prefixes, allowsNotes) === 1
  let elements = 0
  const end = eachChild({ bytes }, content.length - 1, (value) => {
    elements += bytes[value] === openBrace ? elementsOf(bytes, value, prefixes, true) : many
    return elements > 1 ? stopWalk : undefined
  })
  return elements === 1 && bytes[end] === closeBrace
}

import {
  afterSpace,
  backslash,
  closeBrace,
  colon,
  openBrace,
  openBracket,
  quote,
  stringEnd,
  textBetween,
} from '../json-bytes/json-bytes.js'
import { isJson } from '../json-bytes/json-scanner.js'
import { markLength } from '../mark-length.js'
import { decodedString } from './json/canonical-scalar.js'

/** Where the string ends that begins at `at`; `null` where none does. */
function endOfString(bytes: Uint8Array, at: number): number | null {
  const end = stringEnd(bytes, at)
  return bytes[at] === quote && isJson(bytes.subarray(at, end)) ? end : null
}

/** Whether a string holds more than one line, or begins as JSON does. */
function isContent(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start + 1]
  if (first === openBrace || first === openBracket) return true
  for (let at = bytes.indexOf(backslash, start); at >= 0 && at < end; at = bytes.indexOf(backslash, at + 2))
    if (bytes[at + 1] === 0x6e) return true
  return false
}

/** A text within JSON. */
interface HeldText {
  readonly text: Uint8Array
  /** Of the member that has it, as it is spelled; empty for the whole document. */
  readonly key: string
  /** Whether it has more than one line, or begins as JSON does, or is the whole document. */
  readonly isContent: boolean
}

/** A JSON string, or one that is the only member of an object; `null` where a document is something else. */
function onlyString(bytes: Uint8Array): HeldText | null {
  const start = afterSpace(bytes, 0)
  if (bytes[start] === quote) {
    const end = endOfString(bytes, start)
    if (end === null || afterSpace(bytes, end) !== bytes.length) return null
    return { text: decodedString(bytes, start, end), key: '', isContent: true }
  }
  if (bytes[start] !== openBrace) return null
  const key = afterSpace(bytes, start + 1)
  const keyEnd = endOfString(bytes, key)
  if (keyEnd === null) return null
  const colonAt = afterSpace(bytes, keyEnd)
  if (bytes[colonAt] !== colon) return null
  const value = afterSpace(bytes, colonAt + 1)
  const end = endOfString(bytes, value)
  if (end === null) return null
  const brace = afterSpace(bytes, end)
  if (bytes[brace] !== closeBrace || afterSpace(bytes, brace + 1) !== bytes.length) return null
  return {
    text: decodedString(bytes, value, end),
    key: textBetween(bytes, key, keyEnd),
    isContent: isContent(bytes, value, end),
  }
}

/**
 * The text that is stored as a JSON string, or as the only member of an object, as `{"csv":"a,b\n1,2"}`; `null` where a
 * document is something else.
 */
function embeddedText(bytes: Uint8Array): HeldText | null {
  const held = onlyString(bytes)
  return held?.isContent === true ? held : null
}

/** A document without the mark that says it is UTF-8. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(markLength(bytes))
}

/** Whether an object or an array begins here. */
function isContainer(bytes: Uint8Array): boolean {
  const byte = bytes[afterSpace(bytes, 0)]
  return byte === openBrace || byte === openBracket
}

/** A document of JSON, or the one that it holds as a text. */
export function heldJson(bytes: Uint8Array): Uint8Array {
  const held = embeddedText(withoutMark(bytes))
  return held !== null && isContainer(withoutMark(held.text)) ? withoutMark(held.text) : bytes
}

/** Two documents to be compared. */
export interface DocumentPair {
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/** The text that a document holds, and what is compared with it. */
export interface HeldPair extends DocumentPair {
  /** The member that holds it; `null` for a document that is a string. */
  readonly key: string | null
}

/**
 * The text that the first document holds, with any string that the second holds in the same way, or the second itself;
 * `null` if the first holds none, or the second one in another way.
 */
export function heldPair(one: Uint8Array, other: Uint8Array): HeldPair | null {
  const held = embeddedText(withoutMark(one))
  if (held === null) return null
  const otherHeld = onlyString(withoutMark(other))
  if (otherHeld !== null && otherHeld.key !== held.key) return null
  const key: unknown = held.key === '' ? null : JSON.parse(held.key)
  return {
    first: withoutMark(held.text),
    second: withoutMark(otherHeld?.text ?? other),
    key: typeof key === 'string' ? key : null,
  }
}

/** The parts of two documents that may be compared. */
export interface ComparedDocuments {
  /** As JSON, the likeliest first; if a document of a pair is not JSON, the next pair is tried. */
  readonly json: readonly DocumentPair[]
  /** As text or CSV. */
  readonly text: DocumentPair
  /** Where both hold text: the documents as they are, and whether members of the same name hold it. */
  readonly bothHold: { readonly stored: DocumentPair; readonly isAlike: boolean } | null
}

/**
 * Looks for text that the documents hold, so that a file can be compared with what it was stored as. Where both hold
 * text, only that is compared.
 */
export function documentsOf(one: Uint8Array, other: Uint8Array): ComparedDocuments {
  const stored = { first: withoutMark(one), second: withoutMark(other) }
  const [held, otherHeld] = [embeddedText(stored.first), embeddedText(stored.second)]
  const text = { first: held?.text ?? one, second: otherHeld?.text ?? other }
  const inner = { first: withoutMark(text.first), second: withoutMark(text.second) }
  const hasText =
    (held === null || isContainer(inner.first)) && (otherHeld === null || isContainer(inner.second))
  const isStored = held === null || otherHeld === null
  const isHeld = held !== null || otherHeld !== null
  return {
    json: [...(isHeld && hasText ? [inner] : []), ...(isStored ? [stored] : [])],
    text,
    bothHold: isStored ? null : { stored, isAlike: held.key === otherHeld.key },
  }
}

import type { TextPosition } from '../line-counter.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import { type EncodingName, encodingOf } from './encodings.js'

/** So much of a text is looked at; XML's declaration is shorter. */
export const headBytes = 1_024

/** What the beginning of a text says of its encoding. */
export interface FoundEncoding {
  readonly encoding: EncodingName
  /** The declaration of XML that names it, if nothing else does. */
  readonly declared: DeclaredEncoding | null
}

/** What the declaration of an XML document says. */
export interface DeclaredEncoding {
  readonly name: string
  /** Where the name begins, in the text. */
  readonly start: number
  readonly position: TextPosition
}

const marks: readonly (readonly [name: EncodingName, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * UTF-16 and UTF-32 by their zeros, which text in UTF-8 does not have: in every second byte and nowhere else, or at one
 * end of every four bytes and hardly at the other.
 */
function zerosOf(head: Uint8Array): EncodingName | null {
  const zeros = [0, 0, 0, 0]
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros
  const quarter = Math.floor(head.length / 4)
  if (quarter >= 2 && fourth === quarter && third > 0 && first * 2 < quarter) return 'utf-32le'
  if (quarter >= 2 && first >= quarter && second > 0 && fourth * 2 < quarter) return 'utf-32be'
  const [even, odd] = [first + third, second + fourth]
  const enough = Math.max(2, head.length / 8)
  if (odd >= enough && even === 0) return 'utf-16le'
  return even >= enough && odd === 0 ? 'utf-16be' : null
}

/** The encoding that the declaration of an XML document names; `null` if there is no such name. */
export function declaredEncoding(head: string): DeclaredEncoding | null {
  const found = /^(\ufeff?<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*)(["'])([^"'>]*)\2/.exec(
    head,
  )
  const [, before = '', , name] = found ?? []
  if (name === undefined) return null
  const start = before.length + 1
  const lines = `${before}"`.replace(/^\ufeff/, '').split('\n')
  const position = { offset: start, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  return { name, start, position }
}

/** A text whose bytes say that it is UTF-8, and whose declaration names another encoding. */
export function contradiction({ name, position }: DeclaredEncoding): ToolInputError {
  const known = encodingOf(name)
  const way = known === null ? 'convert it' : `say encoding=${known}`
  const message = `The text is UTF-8, and its declaration says ${name.slice(0, 40)}. If the text reads well, write UTF-8 there or say encoding=utf-8; else ${way}.`
  return new ToolInputError('encoding_unclear', message, position)
}

/**
 * Finds the encoding of a text by its byte order mark, or by the declaration of XML.
 * @throws ToolInputError for UTF-16 and UTF-32 without a mark, which are only likely, and for a declaration of UTF-16 or of
 * something unheard in what can be read as ASCII.
 */
export function findEncoding(head: Uint8Array, isXml: boolean): FoundEncoding {
  const marked = marks.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
  if (marked !== undefined) return { encoding: marked, declared: null }
  const likely = zerosOf(head)
  if (likely !== null)
    throw new ToolInputError(
      'encoding_unclear',
      `The text looks like ${likely} without a byte order mark. If it is, say so with encoding=${likely}; else with encoding=utf-8.`,
    )
  const declared = isXml ? declaredEncoding(String.fromCharCode(...head.subarray(0, headBytes))) : null
  const encoding = declared === null ? 'utf-8' : encodingOf(declared.name)
  // The declaration can be read as ASCII, so it is not UTF-16: the text was pasted, or converted.
  if (declared !== null && (encoding === null || encoding.startsWith('utf-16'))) throw contradiction(declared)
  return { encoding: encoding ?? 'utf-8', declared }
}

/** Which encoding bytes that are not UTF-8 may be in, as a hint. */
export function likelyEncoding(bytes: Uint8Array): string {
  const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d]
  const isWindows = !undefinedBytes.some((byte) => bytes.includes(byte))
  return isWindows
    ? 'It may be windows-1252, as Excel on Windows saves CSV: if so, say encoding=windows-1252.'
    : 'Name its encoding, as in encoding=utf-16le, or save it as UTF-8.'
}

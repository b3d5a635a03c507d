import { joinBytes } from '../join-bytes.js'
import { LineCounter } from '../line-counter.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import type { EncodingName } from './encodings.js'

/** The characters of Windows-1252 from 0x80 to 0x9f. Some versions of Node read them as ISO 8859-1. */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const replacement = '\ufffd'
const lineFeed = 0x0a

/** The bytes of a unit of the encodings that have more than one; all of them are in chunks that are decoded. */
const unitSizes: Partial<Readonly<Record<EncodingName, 2 | 4>>> = {
  'utf-16le': 2,
  'utf-16be': 2,
  'utf-32le': 4,
  'utf-32be': 4,
}

type Decode = (chunk: Uint8Array, isLast: boolean) => string

function unitAt(bytes: Uint8Array, at: number, size: 2 | 4, encoding: EncodingName): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size)
  const isLittle = encoding.endsWith('le')
  return size === 2 ? view.getUint16(0, isLittle) : view.getUint32(0, isLittle)
}

/** The number of characters between two places of a text. */
function charactersIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1
  return count
}

function decodeWindows1252(chunk: Uint8Array): string {
  const text = new TextDecoder('iso-8859-1').decode(chunk)
  return text.replace(/[\u0080-\u009f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80))
}

/** `TextDecoder` does not know UTF-32. */
function decodeUtf32(chunk: Uint8Array, isLittle: boolean): string {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  let text = ''
  for (let at = 0; at + 4 <= chunk.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    text += isCharacter ? String.fromCodePoint(code) : replacement
  }
  return chunk.length % 4 === 0 ? text : text + replacement
}

/** The escape sequences of ISO-2022-JP, which choose the characters that follow. */
const escapes: ReadonlySet<string> = new Set(['(B', '(I', '(J', '$@', '$B'].map((rest) => `\u001b${rest}`))
/** Chooses ASCII, and ends a line. */
const asciiLineFeed = Uint8Array.of(0x1b, 0x28, 0x42, lineFeed)

/** A line feed would complete half of a character of ISO-2022-JP, so ASCII is chosen before it. */
function iso2022JpDecoder(): Decode {
  const decoder = new TextDecoder('iso-2022-jp', { ignoreBOM: true })
  let lastBytes = ''
  return (chunk, isLast) => {
    const text = decoder.decode(chunk, { stream: true })
    lastBytes = (lastBytes + String.fromCharCode(...chunk.subarray(-3))).slice(-3)
    // Behind an escape sequence there is no half, and another one would be an error.
    if (!isLast || escapes.has(lastBytes)) return text
    return text + decoder.decode(asciiLineFeed).slice(0, -1)
  }
}

function decoderOf(encoding: EncodingName): Decode {
  if (encoding === 'windows-1252') return decodeWindows1252
  if (encoding === 'utf-32le' || encoding === 'utf-32be')
    return (chunk) => decodeUtf32(chunk, encoding === 'utf-32le')
  if (encoding === 'iso-2022-jp') return iso2022JpDecoder()
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  if (unitSizes[encoding] !== undefined) return (chunk, isLast) => decoder.decode(chunk, { stream: !isLast })
  // Half of a character at the end would get lost, if nothing came behind it.
  return (chunk, isLast) =>
    isLast
      ? decoder.decode(joinBytes(chunk, Uint8Array.of(lineFeed))).slice(0, -1)
      : decoder.decode(chunk, { stream: true })
}

/** Writes text that arrives in chunks of another encoding as UTF-8. */
export class Transcoder {
  private readonly encoding: EncodingName
  private readonly decode: Decode
  private readonly encoder = new TextEncoder()
  private readonly unitSize: 2 | 4 | undefined
  /** What the last chunk split, of UTF-16 and UTF-32: up to three bytes. */
  private rest = new Uint8Array(0)
  private readonly lines = new LineCounter()
  private isFirst = true

  constructor(encoding: EncodingName) {
    this.encoding = encoding
    this.decode = decoderOf(encoding)
    this.unitSize = unitSizes[encoding]
  }

  /** @throws ToolInputError `not_in_encoding` at the first character that is not of the encoding. */
  take(chunk: Uint8Array, isLast = false): Uint8Array {
    const bytes = this.unitSize === undefined ? chunk : this.wholeUnits(chunk, isLast, this.unitSize)
    const text = this.decode(bytes, isLast)
    const wrongAt = this.firstReplacement(bytes, text)
    if (wrongAt >= 0) {
      this.count(text.slice(0, wrongAt))
      throw new ToolInputError('not_in_encoding', `The text is not ${this.encoding}.`, this.lines.position())
    }
    const marked = this.isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
    if (text !== '') this.isFirst = false
    return this.count(marked)
  }

  end(): Uint8Array {
    return this.take(new Uint8Array(0), true)
  }

  /** Characters that are whole, so that each unit has its place in the bytes. */
  private wholeUnits(chunk: Uint8Array, isLast: boolean, size: 2 | 4): Uint8Array {
    const joined = joinBytes(this.rest, chunk)
    let end = isLast ? joined.length : joined.length - (joined.length % size)
    if (!isLast && size === 2 && end > 0 && (unitAt(joined, end - 2, 2, this.encoding) & 0xfc00) === 0xd800)
      end -= 2
    this.rest = joined.slice(end)
    return joined.subarray(0, end)
  }

  /** The place of the first U+FFFD that stands for something else, not for itself; -1 if there is none. */
  private firstReplacement(bytes: Uint8Array, text: string): number {
    const { unitSize: size, encoding } = this
    let from = 0
    let unit = 0
    for (let at = text.indexOf(replacement); at >= 0; at = text.indexOf(replacement, at + 1)) {
      if (size === undefined) return at
      unit += size === 2 ? at - from : charactersIn(text, from, at)
      from = at
      const isWhole = size * (unit + 1) <= bytes.length
      if (!isWhole || unitAt(bytes, size * unit, size, encoding) !== 0xfffd) return at
    }
    return -1
  }

  private count(text: string): Uint8Array {
    const bytes = this.encoder.encode(text)
    this.lines.count(bytes)
    return bytes
  }
}

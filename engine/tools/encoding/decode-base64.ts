import { LineCounter } from '../../line-counter.js'
import { ToolInputError } from '../tool-input-error.js'
import { alphabets, padding } from './base64-alphabets.js'

type Alphabet = keyof typeof alphabets

const other = 255
const space = 254
const isSpace = [0x20, 0x09, 0x0a, 0x0d]
/** The first of the two values whose characters tell the alphabets apart. */
const firstTelling = 62

/** The six bits of each byte in either alphabet. */
const values: Readonly<Uint8Array> = (() => {
  const table = new Uint8Array(256).fill(other)
  for (const alphabet of Object.values(alphabets))
    for (const [value, byte] of alphabet.entries()) table[byte] = value
  for (const byte of isSpace) table[byte] = space
  return table
})()

function named(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return `byte 0x${byte.toString(16).padStart(2, '0')}`
}

/** Decodes Base64 that arrives in chunks. */
class Base64Decoder {
  private readonly lines = new LineCounter()
  /** `null` until a character tells. */
  private alphabet: Alphabet | null
  private bits = 0
  private characters = 0
  private pads = 0

  constructor(alphabet: Alphabet | 'either') {
    this.alphabet = alphabet === 'either' ? null : alphabet
  }

  decode(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(Math.ceil((chunk.length * 3) / 4) + 3)
    let to = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      const value = values[byte] as number
      if (value === space) continue
      if (value >= firstTelling || this.pads > 0) {
        const problem = this.checkByte(byte, value)
        if (problem !== null) {
          this.lines.count(chunk, at)
          throw new ToolInputError('base64_invalid', problem, this.lines.position())
        }
        if (byte === padding) continue
      }
      this.bits = (this.bits << 6) | value
      this.characters += 1
      if (this.characters < 4) continue
      out[to] = this.bits >> 16
      out[to + 1] = this.bits >> 8
      out[to + 2] = this.bits
      to += 3
      this.bits = 0
      this.characters = 0
    }
    this.lines.count(chunk)
    return out.slice(0, to)
  }

  /** The one or two bytes of the last characters. */
  end(): Uint8Array<ArrayBuffer> {
    const { characters, pads, bits } = this
    if (characters === 1) throw this.endProblem('The last character stands for less than a byte.')
    if (pads > 0 && characters + pads !== 4)
      throw this.endProblem('The padding is incomplete: one more = is needed.')
    const unused = characters === 2 ? 4 : 2
    if (characters > 0 && (bits & ((1 << unused) - 1)) !== 0)
      throw this.endProblem('The last character has bits that stand for nothing; the text may be cut.')
    if (characters === 0) return new Uint8Array(0)
    return characters === 2 ? Uint8Array.of(bits >> 4) : Uint8Array.of(bits >> 10, bits >> 2)
  }

  private endProblem(message: string): ToolInputError {
    return new ToolInputError('base64_invalid', message, this.lines.position())
  }

  /** The problem of a byte that is in neither alphabet, or after the padding. */
  private checkByte(byte: number, value: number): string | null {
    if (byte === padding) {
      this.pads += 1
      return this.characters < 2 || this.characters + this.pads > 4
        ? 'Padding comes only at the end, where it makes four characters.'
        : null
    }
    if (value === other) return `Base64 has no ${named(byte)}.`
    if (this.pads > 0) return `Nothing may follow the padding; found ${named(byte)}.`
    const alphabet: Alphabet = alphabets.url[value] === byte ? 'url' : 'standard'
    this.alphabet ??= alphabet
    if (alphabet === this.alphabet) return null
    return `${named(byte)} belongs to the ${alphabet} alphabet; this text has the ${this.alphabet} one.`
  }
}

/** Decodes Base64 while it arrives. */
export async function* decodeBase64(
  input: AsyncIterable<Uint8Array>,
  options: { readonly alphabet: Alphabet | 'either' },
): AsyncGenerator<Uint8Array> {
  const decoder = new Base64Decoder(options.alphabet)
  for await (const chunk of input) {
    const made = decoder.decode(chunk)
    if (made.length > 0) yield made
  }
  yield decoder.end()
}

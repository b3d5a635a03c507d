import { alphabets, padding } from './base64-alphabets.js'

interface EncodeBase64Options {
  readonly alphabet: keyof typeof alphabets
  readonly padding: boolean
  readonly line_length: 'none' | '64' | '76'
}

/** The bytes of a chunk that are encoded at once, a multiple of three. */
const partBytes = 49_152

/** Encodes all bytes but the last one or two that do not make three. */
function encodeTriples(bytes: Uint8Array, alphabet: Uint8Array): Uint8Array<ArrayBuffer> {
  const triples = Math.floor(bytes.length / 3)
  const out = new Uint8Array(triples * 4)
  for (let at = 0, to = 0; to < out.length; at += 3, to += 4) {
    const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number)
    out[to] = alphabet[three >> 18] as number
    out[to + 1] = alphabet[(three >> 12) & 63] as number
    out[to + 2] = alphabet[(three >> 6) & 63] as number
    out[to + 3] = alphabet[three & 63] as number
  }
  return out
}

function encodeRest(rest: Uint8Array, alphabet: Uint8Array, isPadded: boolean): Uint8Array<ArrayBuffer> {
  const all = encodeTriples(Uint8Array.of(rest[0] ?? 0, rest[1] ?? 0, 0), alphabet)
  if (isPadded) all.fill(padding, rest.length + 1)
  return all.slice(0, isPadded ? 4 : rest.length + 1)
}

/** Breaks what passes into lines of the same length. */
class LineBreaker {
  private readonly lineLength: number
  private column = 0

  constructor(lineLength: number) {
    this.lineLength = lineLength
  }

  break(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const { lineLength } = this
    const out = new Uint8Array(text.length + Math.floor((this.column + text.length) / lineLength))
    let to = 0
    for (let at = 0; at < text.length; ) {
      // A line ends only when another character follows, so the output has no empty last line.
      if (this.column === lineLength) {
        out[to++] = 0x0a
        this.column = 0
      }
      const end = Math.min(text.length, at + lineLength - this.column)
      out.set(text.subarray(at, end), to)
      to += end - at
      this.column += end - at
      at = end
    }
    return out.slice(0, to)
  }
}

/** Encodes bytes as Base64 while they arrive. */
export async function* encodeBase64(
  input: AsyncIterable<Uint8Array>,
  options: EncodeBase64Options,
): AsyncGenerator<Uint8Array> {
  const alphabet = alphabets[options.alphabet]
  const lines = options.line_length === 'none' ? null : new LineBreaker(Number(options.line_length))
  let rest = new Uint8Array(0)
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; at += partBytes) {
      const bytes = new Uint8Array(rest.length + Math.min(partBytes, chunk.length - at))
      bytes.set(rest)
      bytes.set(chunk.subarray(at, at + partBytes), rest.length)
      const text = encodeTriples(bytes, alphabet)
      // The caller may transfer what is yielded, which empties it.
      rest = bytes.slice((text.length / 4) * 3)
      if (text.length > 0) yield lines === null ? text : lines.break(text)
    }
  }
  if (rest.length === 0) return
  const last = encodeRest(rest, alphabet, options.padding)
  yield lines === null ? last : lines.break(last)
}

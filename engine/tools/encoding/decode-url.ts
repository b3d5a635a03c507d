import { LineCounter } from '../../line-counter.js'
import { ToolInputError } from '../tool-input-error.js'

const space = 0x20
const plus = 0x2b
const percent = 0x25

/** The value of a hexadecimal digit; -1 for another byte. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Decodes percent-encoding while it arrives. */
export async function* decodeUrl(
  input: AsyncIterable<Uint8Array>,
  options: { readonly plus_is_space: boolean },
): AsyncGenerator<Uint8Array> {
  const lines = new LineCounter()
  /** The digits still to come of what the last % began, and their value so far. */
  let digits = 0
  let value = 0
  for await (const chunk of input) {
    const out = new Uint8Array(chunk.length)
    let to = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (digits > 0) {
        const digit = hexValue(byte)
        if (digit < 0) {
          lines.count(chunk, at)
          throw new ToolInputError(
            'url_invalid',
            'Two hexadecimal digits must follow %; write %25 for a % itself.',
            lines.position(),
          )
        }
        value = value * 16 + digit
        digits -= 1
        if (digits === 0) out[to++] = value
      } else if (byte === percent) {
        digits = 2
        value = 0
      } else out[to++] = byte === plus && options.plus_is_space ? space : byte
    }
    lines.count(chunk)
    if (to > 0) yield out.slice(0, to)
  }
  if (digits > 0)
    throw new ToolInputError('url_invalid', 'The text ends within % and its two digits.', lines.position())
}

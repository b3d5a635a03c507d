/** Bytes as text, one character per byte or escape. */
export interface Unescaped {
  readonly text: string
  /** The offset of the first byte of a character, or of the end. */
  offsetOf(index: number): number
}

const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Bytes as they are, 4 KiB at most. */
export function asText(bytes: Uint8Array, from: number, to: number): Unescaped {
  return {
    text: String.fromCharCode(...bytes.subarray(from, to)),
    offsetOf: (index) => from + index,
  }
}

/** Removes one level of the escapes of JSON strings; an escape that is cut off stays. */
export function withoutEscapes({ text, offsetOf }: Unescaped): Unescaped {
  let result = ''
  const places: number[] = []
  for (let at = 0; at < text.length; ) {
    places.push(at)
    const next = text[at + 1]
    if (text[at] !== '\\' || next === undefined) {
      result += text[at]
      at += 1
    } else if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) {
      result += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16))
      at += 6
    } else {
      result += short[next] ?? next
      at += 2
    }
  }
  places.push(text.length)
  return { text: result, offsetOf: (index) => offsetOf(places[index] ?? text.length) }
}

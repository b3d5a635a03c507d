/** Writes JSON text piece by piece, so that documents of other kinds can be shown as a tree. */
export interface JsonWriter {
  /** Opens an object or an array, within an object under a key. */
  open(bracket: '{' | '[', key?: string): void
  close(): void
  string(value: string, key?: string): void
  /** A number, `true`, `false` or `null` exactly as spelled; no spaces, commas or brackets. */
  literal(source: string, key?: string): void
  /** JSON text as is. */
  json(text: string, key?: string): void
  bytes(): Uint8Array
}

const pieceLength = 65_536

/** Starts an empty text. */
export function jsonWriter(): JsonWriter {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  const closing: string[] = []
  let text = ''
  let isFirst = true
  const put = (value: string, key: string | undefined): void => {
    if (!isFirst) text += ','
    isFirst = false
    if (key !== undefined) text += `${JSON.stringify(key)}:`
    text += value
    if (text.length < pieceLength) return
    pieces.push(encoder.encode(text))
    text = ''
  }
  return {
    open(bracket, key) {
      put(bracket, key)
      closing.push(bracket === '{' ? '}' : ']')
      isFirst = true
    },
    close() {
      text += closing.pop() ?? ''
      isFirst = false
    },
    string: (value, key) => put(JSON.stringify(value), key),
    literal: (source, key) => put(/^[^\s,[\]{}"]+$/.test(source) ? source : JSON.stringify(source), key),
    json: put,
    bytes() {
      pieces.push(encoder.encode(text))
      text = ''
      const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
      let at = 0
      for (const piece of pieces) {
        whole.set(piece, at)
        at += piece.length
      }
      return whole
    },
  }
}

/** The escape of each byte that cannot stand in a JSON string. */
const escapes: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_escape, byte) => {
  const character = String.fromCharCode(byte)
  const isPlain = byte >= 0x20 && character !== '"' && character !== '\\'
  return isPlain ? undefined : new TextEncoder().encode(JSON.stringify(character).slice(1, -1))
})

/** How many bytes more each byte takes in a JSON string. */
const extraBytes = Uint8Array.from(escapes, (escaped) => (escaped?.length ?? 1) - 1)

function sizeOf(chunks: readonly Uint8Array[]): number {
  let size = 0
  for (const chunk of chunks) {
    size += chunk.length
    for (let at = 0; at < chunk.length; at += 1) size += extraBytes[chunk[at] ?? 0] ?? 0
  }
  return size
}

/** Chunks of UTF-8 text as a JSON object with one member, the form in which the viewer reads what is saved or shared. */
export function outputDocument(key: string, chunks: readonly Uint8Array[]): Uint8Array {
  const encoder = new TextEncoder()
  const head = encoder.encode(`{${JSON.stringify(key)}:"`)
  const document = new Uint8Array(head.length + sizeOf(chunks) + 2)
  document.set(head)
  let end = head.length
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      const escaped = escapes[byte]
      if (escaped === undefined) document[end++] = byte
      else {
        document.set(escaped, end)
        end += escaped.length
      }
    }
  document.set(encoder.encode('"}'), end)
  return document
}

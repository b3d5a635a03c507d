/**
 * The same bytes in chunks of `size`; only the last may be shorter. A chunk of exactly this size is passed on without
 * a copy, so the source must not reuse it; all others are copied.
 */
export async function* rechunk(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer, void, undefined> {
  let even = Buffer.alloc(0)
  let filled = 0
  for await (const chunk of chunks) {
    if (filled === 0 && chunk.length === size) {
      yield Buffer.from(chunk.buffer, chunk.byteOffset, size)
      continue
    }
    for (let at = 0; at < chunk.length; ) {
      if (filled === 0) even = Buffer.allocUnsafeSlow(size)
      const part = chunk.subarray(at, at + size - filled)
      even.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      yield even
      filled = 0
    }
  }
  if (filled > 0) yield even.subarray(0, filled)
}

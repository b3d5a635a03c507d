/**
 * The same bytes cut anew, into chunks of `size` of which only the last may be shorter. They are copies: the source may
 * use its own again.
 */
export async function* evenChunks(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer, void, undefined> {
  let even = Buffer.allocUnsafeSlow(size)
  let filled = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - filled)
      even.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      yield even
      even = Buffer.allocUnsafeSlow(size)
      filled = 0
    }
  }
  if (filled > 0) yield even.subarray(0, filled)
}

const chunkBytes = 262_144

/** The bytes of a blob piece by piece: not all browsers can iterate its stream. */
export async function* blobChunks(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let at = 0; at < blob.size; at += chunkBytes)
    yield new Uint8Array(await blob.slice(at, at + chunkBytes).arrayBuffer())
}

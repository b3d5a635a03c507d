/** Bytes that are kept until they are needed as one piece. */
export interface ByteBuffer {
  readonly length: number
  /** Appends a copy of `bytes`. */
  append(bytes: Uint8Array): void
  /** All bytes as a view, valid until the next `append` or `clear`. */
  view(): Buffer
  clear(): void
}

/** Collects bytes by copying, so that no small slice keeps a whole network buffer in memory. */
export function createByteBuffer(): ByteBuffer {
  let kept: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    get length() {
      return length
    },
    append(bytes) {
      if (length + bytes.length > kept.length) {
        const larger = Buffer.allocUnsafe(Math.max(length + bytes.length, kept.length * 2, 128))
        larger.set(kept.subarray(0, length))
        kept = larger
      }
      kept.set(bytes, length)
      length += bytes.length
    },
    view: () => kept.subarray(0, length),
    clear() {
      length = 0
    },
  }
}

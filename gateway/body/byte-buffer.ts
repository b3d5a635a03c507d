/** Collects chunks into one contiguous buffer. */
export interface ByteBuffer {
  readonly length: number
  /** Appends a copy of `bytes`. */
  append(bytes: Uint8Array): void
  /** All bytes as a view, valid until the next `append` or `clear`. */
  view(): Buffer
  clear(): void
}

/** Copies the bytes, so that no small slice keeps a whole network buffer in memory. */
export function createByteBuffer(): ByteBuffer {
  return new CopiedBytes()
}

class CopiedBytes implements ByteBuffer {
  length = 0
  private kept: Buffer = Buffer.alloc(0)

  append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length
    if (needed > this.kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.kept.length * 2, 128))
      larger.set(this.view())
      this.kept = larger
    }
    this.kept.set(bytes, this.length)
    this.length = needed
  }

  view(): Buffer {
    return this.kept.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }
}

const pieceBytes = 65_536
const encoder = new TextEncoder()

/** Collects output, which leaves in pieces that belong to the caller. */
export class OutputBuffer {
  private bytes = new Uint8Array(pieceBytes)
  private length = 0
  private readonly full: Uint8Array[] = []

  put(byte: number): void {
    if (this.length === pieceBytes) this.finishPiece()
    this.bytes[this.length++] = byte
  }

  putRange(bytes: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > pieceBytes) {
      this.putLarge(bytes, start, end)
      return
    }
    const { bytes: out, length } = this
    if (end - start > 64) out.set(bytes.subarray(start, end), length)
    else for (let at = start, to = length; at < end; at += 1, to += 1) out[to] = bytes[at] as number
    this.length = length + end - start
  }

  putAll(bytes: Uint8Array): void {
    this.putRange(bytes, 0, bytes.length)
  }

  /** Writes text as UTF-8. Most is short and ASCII, which is copied faster than it is encoded. */
  putText(text: string): void {
    const { length: start } = this
    const isShort = text.length <= 256 && start + text.length <= pieceBytes
    for (let at = 0; isShort && at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit > 0x7f) break
      this.bytes[this.length++] = unit
    }
    if (isShort && this.length === start + text.length) return
    this.length = start
    this.putAll(encoder.encode(text))
  }

  /** The pieces that are full, since the last call. */
  takeFull(): readonly Uint8Array[] {
    return this.full.length === 0 ? [] : this.full.splice(0)
  }

  /** All output since the last call. */
  takeAll(): readonly Uint8Array[] {
    if (this.length > 0) this.finishPiece()
    return this.takeFull()
  }

  private putLarge(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; ) {
      if (this.length === pieceBytes) this.finishPiece()
      const next = Math.min(end, at + pieceBytes - this.length)
      this.bytes.set(bytes.subarray(at, next), this.length)
      this.length += next - at
      at = next
    }
  }

  private finishPiece(): void {
    this.full.push(this.bytes.slice(0, this.length))
    this.length = 0
  }
}

import { JsonScanner } from './json-scanner.js'

/** Of a longer token that chunks cut, only so many are kept. */
export const tokenBytesMax = 65_536

/** A scanner that has keys and scalars as a whole although chunks cut them. Their bytes are valid during the call only. */
export class JsonTokenScanner extends JsonScanner {
  private held: Uint8Array | null = null
  private heldBytes = 0

  protected override cut(chunk: Uint8Array, start: number): void {
    this.hold(chunk, start, chunk.length)
  }

  protected override endCut(chunk: Uint8Array, start: number, end: number, isKey: boolean): void {
    const held = this.hold(chunk, start, end)
    const { heldBytes } = this
    this.heldBytes = 0
    if (isKey) this.key(held, 0, heldBytes)
    else this.scalar(held, 0, heldBytes)
    super.endCut(chunk, start, end, isKey)
  }

  private hold(chunk: Uint8Array, start: number, end: number): Uint8Array {
    this.held ??= new Uint8Array(tokenBytesMax)
    const fits = Math.min(end - start, tokenBytesMax - this.heldBytes)
    this.held.set(chunk.subarray(start, start + fits), this.heldBytes)
    this.heldBytes += fits
    return this.held
  }
}

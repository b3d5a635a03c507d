import { pointerTo } from '../json-pointer.js'
import { stringBetween, textBetween } from './json-bytes.js'
import { depthMax } from './json-scanner.js'
import { JsonTokenScanner } from './json-token-scanner.js'

/** Of the keys in a pointer: a thousand places within one endless key must not repeat it a thousand times. */
const keyBytesMax = 4_096

function keyBetween(bytes: Uint8Array, start: number, end: number): string {
  try {
    return stringBetween(bytes, start, end)
  } catch {
    // The key is wrong itself.
    return textBetween(bytes, start + 1, end)
  }
}

/** A scanner that knows the JSON Pointer of what it reads. */
export class JsonPathScanner extends JsonTokenScanner {
  /** By depth: the items before the one that is read, or where the key of the member is; it ends at 0 if there is none. */
  private readonly items = new Uint32Array(depthMax + 1)
  private readonly keys: Uint8Array[] = []
  private readonly keyStarts = new Uint32Array(depthMax + 1)
  private readonly keyEnds = new Uint32Array(depthMax + 1)

  override scan(chunk: Uint8Array, from = 0): number {
    const at = super.scan(chunk, from)
    for (let level = 1; level <= this.depth; level += 1) if (this.keys[level] === chunk) this.keepKey(level)
    return at
  }

  /** The JSON Pointer of the value that is read; of the object while its key is, or if it would be too long. */
  pointer(): string {
    const steps: string[] = []
    let keyBytes = 0
    for (let level = 1; level <= this.depth; level += 1) {
      if (!this.isInObject(level)) {
        steps.push(String(this.items[level]))
        continue
      }
      const [start, end] = [this.keyStarts[level] ?? 0, this.keyEnds[level] ?? 0]
      const key = this.keys[level]
      if (key === undefined || end === 0) continue
      keyBytes += end - start
      if (keyBytes > keyBytesMax) break
      steps.push(keyBetween(key, start, end))
    }
    return pointerTo(steps)
  }

  protected override open(_isObject: boolean, _at: number): void {
    this.items[this.depth + 1] = 0
    this.keyEnds[this.depth + 1] = 0
  }

  protected override comma(_at: number): void {
    this.items[this.depth] = (this.items[this.depth] ?? 0) + 1
    this.keyEnds[this.depth] = 0
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    const { depth } = this
    if (this.keys[depth] !== bytes) this.keys[depth] = bytes
    this.keyStarts[depth] = start
    this.keyEnds[depth] = end
    if (this.isCut) this.keepKey(depth)
  }

  /** Copies a key whose bytes are valid no longer. */
  private keepKey(level: number): void {
    const start = this.keyStarts[level] ?? 0
    const end = Math.min(this.keyEnds[level] ?? 0, start + keyBytesMax + 1)
    const key = this.keys[level]
    if (key === undefined || end === 0) return
    this.keys[level] = key.slice(start, end)
    this.keyStarts[level] = 0
    this.keyEnds[level] = end - start
  }
}

import { stringBetween, textBetween } from '../../json-bytes/json-bytes.js'
import { pointerTo } from '../../json-pointer.js'
import { depthMax } from './json-errors.js'

/** Of the keys in a pointer: a thousand mistakes within one endless key must not repeat it a thousand times. */
const keyBytesMax = 4_096

/** Where a scan of JSON is: the open containers, and the member or item in each. */
export class JsonPlace {
  depth = 0
  private readonly bytes: Uint8Array
  private readonly isObject = new Uint8Array(depthMax + 1)
  /** The items before the one that is read, or where the key of the member begins and ends. */
  private readonly items = new Uint32Array(depthMax + 1)
  private readonly keyStarts = new Int32Array(depthMax + 1)
  private readonly keyEnds = new Int32Array(depthMax + 1)

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get isInObject(): boolean {
    return this.isObject[this.depth] === 1
  }

  /** Whether the container around the innermost is an object. */
  get isOuterObject(): boolean {
    return this.isObject[this.depth - 1] === 1
  }

  open(isObject: boolean): void {
    this.depth += 1
    this.isObject[this.depth] = isObject ? 1 : 0
    this.items[this.depth] = 0
    this.keyStarts[this.depth] = -1
  }

  close(): void {
    this.depth -= 1
  }

  /** A comma: another member or item comes. */
  separate(): void {
    this.items[this.depth] = (this.items[this.depth] ?? 0) + 1
    this.keyStarts[this.depth] = -1
  }

  keyStart(at: number): void {
    this.keyStarts[this.depth] = at
    this.keyEnds[this.depth] = at
  }

  keyEnd(at: number): void {
    this.keyEnds[this.depth] = at
  }

  /** Where the key of the innermost object begins and ends, quotes included. */
  keyRange(): readonly [start: number, end: number] {
    return [this.keyStarts[this.depth] ?? -1, this.keyEnds[this.depth] ?? 0]
  }

  /** The JSON Pointer of the value that is read; of the object while its key is, or if it would be too long. */
  pointer(): string {
    const steps: string[] = []
    let keyBytes = 0
    for (let level = 1; level <= this.depth; level += 1) {
      if (this.isObject[level] === 0) steps.push(String(this.items[level]))
      else {
        const [start, end] = [this.keyStarts[level] ?? -1, this.keyEnds[level] ?? 0]
        if (start < 0 || end <= start) continue
        keyBytes += end - start
        if (keyBytes > keyBytesMax) break
        steps.push(this.keyBetween(start, end))
      }
    }
    return pointerTo(steps)
  }

  private keyBetween(start: number, end: number): string {
    try {
      return stringBetween(this.bytes, start, end)
    } catch {
      // The key is wrong itself.
      return textBetween(this.bytes, start + 1, end)
    }
  }
}

import { JsonPathScanner } from '../json-bytes/json-path-scanner.js'
import { pointerTo, stepsOf } from '../json-pointer.js'
import { findSecrets } from './secret-scanner.js'

const encoder = new TextEncoder()

/** Longer pointers are not shown as a whole. */
const pointerLengthMax = 1_000

/** A pointer as far as it can be shown: up to a key that is itself a secret, or that makes it too long. */
export function safePointer(pointer: string, nowMs: number): string {
  const steps = stepsOf(pointer) ?? []
  let length = 0
  const end = steps.findIndex((step) => {
    length += step.length + 1
    return length > pointerLengthMax || findSecrets(encoder.encode(step), { nowMs }).length > 0
  })
  return end === -1 ? pointer : pointerTo(steps.slice(0, end))
}

/**
 * Finds the JSON Pointers of places in a document that arrives in chunks. Valid JSON only: it stops at the first
 * mistake, and what it says of places behind that means nothing.
 */
export class OffsetLocator extends JsonPathScanner {
  private readonly offsets: readonly number[]
  private readonly found: string[] = []
  private next = Number.POSITIVE_INFINITY

  /** @param offsets ascending; more may be added before the place that they name is pushed. */
  constructor(offsets: readonly number[]) {
    super()
    this.offsets = offsets
  }

  push(chunk: Uint8Array): void {
    this.next = this.offsets[this.found.length] ?? Number.POSITIVE_INFINITY
    this.scan(chunk)
    this.locateUntil(0)
  }

  /** Whether all places have been passed. */
  isDone(): boolean {
    return this.found.length === this.offsets.length
  }

  /** The pointer of the value at each offset, or of the object around a key; in the order of the offsets. */
  pointers(): readonly string[] {
    return this.found
  }

  protected override open(isObject: boolean, at: number): void {
    this.locateUntil(at + 1)
    super.open(isObject, at)
  }

  protected override close(_isObject: boolean, at: number): void {
    this.locateUntil(at + 1)
  }

  protected override comma(at: number): void {
    this.locateUntil(at + 1)
    super.comma(at)
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    if (!this.isCut) this.locateUntil(end)
    super.key(bytes, start, end)
  }

  protected override endCut(chunk: Uint8Array, start: number, end: number, isKey: boolean): void {
    if (isKey) this.locateUntil(end)
    super.endCut(chunk, start, end, isKey)
  }

  /** The places before `end` that have no pointer yet have the current one. */
  private locateUntil(end: number): void {
    while (this.next < this.offset + end) {
      this.found.push(this.pointer())
      this.next = this.offsets[this.found.length] ?? Number.POSITIVE_INFINITY
    }
  }
}

import { drawSeed, hashWith } from '../../compare/byte-hash.js'
import { hashOfString, sameScalar } from '../../compare/json/canonical-scalar.js'
import { stringEnd } from '../../json-bytes/json-bytes.js'
import { depthMax } from '../../json-bytes/json-scanner.js'
import type { JsonError } from './json-errors.js'

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

/**
 * Finds keys that an object has more than once, while a scan goes through it. The keys of the objects that are open are
 * in a hash table, as offsets: up to 32 bytes for each, however long it is.
 */
export class DuplicateKeys {
  readonly found: JsonError[] = []
  /** Whether there are more than were wanted. */
  truncated = false
  private readonly bytes: Uint8Array
  private readonly most: number
  private readonly seed = drawSeed()
  /** Where the keys of the open objects begin, and their hashes, those of inner objects after those of outer ones. */
  private starts = new Int32Array(512)
  private hashes = new Int32Array(512)
  private count = 0
  /** By depth: how many keys the objects around have. */
  private readonly before = new Int32Array(depthMax + 1)
  /** One more than the number of the key that is there; 0 for none. */
  private slots = new Int32Array(1_024)

  constructor(bytes: Uint8Array, most: number) {
    this.bytes = bytes
    this.most = most
  }

  /** How many keys are kept. */
  get size(): number {
    return this.count
  }

  open(depth: number): void {
    this.before[depth] = this.count
  }

  /** Forgets the keys of a container that ends, the newest first: no other key was put behind one of them. */
  close(depth: number): void {
    const rest = this.before[depth] ?? 0
    while (this.count > rest) {
      const mask = this.slots.length - 1
      let at = (this.hashes[this.count - 1] ?? 0) & mask
      while (this.slots[at] !== this.count) at = (at + 1) & mask
      this.slots[at] = 0
      this.count -= 1
    }
  }

  /** Takes a key that has just ended, and returns whether its object has it already. */
  take(start: number, end: number, depth: number): boolean {
    if (this.truncated) return false
    const hash = this.hashOfKey(start, end, depth)
    if (hash === null) return false
    const mask = this.slots.length - 1
    const first = this.before[depth] ?? 0
    let at = hash & mask
    for (let known = this.slots[at] ?? 0; known !== 0; known = this.slots[at] ?? 0) {
      if (
        known > first &&
        this.hashes[known - 1] === hash &&
        this.isSame(this.starts[known - 1] ?? 0, start, end)
      )
        return true
      at = (at + 1) & mask
    }
    this.add(at, start, hash)
    return false
  }

  /** Keeps a key that repeats as found. */
  warn(offset: number, pointer: string): void {
    if (this.found.length === this.most) this.truncated = true
    else
      this.found.push({
        offset,
        pointer,
        message: 'The object has this key already; most programs take only one of its values.',
      })
  }

  private add(slot: number, start: number, hash: number): void {
    this.starts[this.count] = start
    this.hashes[this.count] = hash
    this.count += 1
    this.slots[slot] = this.count
    // Half of the slots stay empty.
    if (this.count === this.starts.length) this.grow()
  }

  private grow(): void {
    this.starts = grown(this.starts)
    this.hashes = grown(this.hashes)
    this.slots = new Int32Array(this.slots.length * 2)
    const mask = this.slots.length - 1
    for (let number = 1; number <= this.count; number += 1) {
      let at = (this.hashes[number - 1] ?? 0) & mask
      while (this.slots[at] !== 0) at = (at + 1) & mask
      this.slots[at] = number
    }
  }

  /** `null` if the key is wrong itself, which is an error. */
  private hashOfKey(start: number, end: number, depth: number): number | null {
    try {
      return hashWith(hashOfString(this.seed, this.bytes, start, end), depth, this.seed.factor)
    } catch {
      return null
    }
  }

  private isSame(knownStart: number, start: number, end: number): boolean {
    const { bytes } = this
    return sameScalar(bytes, knownStart, stringEnd(bytes, knownStart), bytes, start, end, false)
  }
}

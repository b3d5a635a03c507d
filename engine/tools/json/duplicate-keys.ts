import { stringBetween } from '../../json-bytes/json-bytes.js'
import type { JsonError } from './json-errors.js'
import type { JsonPlace } from './json-place.js'

/** Finds keys that an object has more than once, while a scan goes through it. */
export class DuplicateKeys {
  readonly found: JsonError[] = []
  private readonly bytes: Uint8Array
  private readonly most: number
  /** The keys of the open containers, by depth. */
  private readonly keys: Set<string>[] = []

  constructor(bytes: Uint8Array, most: number) {
    this.bytes = bytes
    this.most = most
  }

  open(depth: number): void {
    this.keys[depth] = new Set()
  }

  /** Takes the key that has just ended. */
  take(place: JsonPlace): void {
    const [start, end] = place.keyRange()
    const key = this.keyBetween(start, end)
    const known = this.keys[place.depth]
    if (key === null || known === undefined) return
    if (known.has(key) && this.found.length < this.most)
      this.found.push({
        offset: start,
        pointer: place.pointer(),
        message: 'The object has this key already; most programs take only one of its values.',
      })
    known.add(key)
  }

  private keyBetween(start: number, end: number): string | null {
    try {
      return stringBetween(this.bytes, start, end)
    } catch {
      // The key is wrong itself, which is an error.
      return null
    }
  }
}

import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../json-bytes/json-bytes.js'
import { depthMax } from './json-errors.js'

/** What is met in JSON, in its order. The bytes of a token are valid during the call only. */
export interface JsonEvents {
  open(isObject: boolean): void
  close(): void
  /** @param isWhole false for a token of more than 65,536 bytes, of which only the first 65,536 are passed. */
  key(bytes: Uint8Array, start: number, end: number, isWhole: boolean): void
  scalar(bytes: Uint8Array, start: number, end: number, isWhole: boolean): void
}

const tokenBytesMax = 65_536
const lineFeed = 0x0a

/** Tells of valid compact JSON that arrives in chunks; several values are on a line each. */
export class CompactEvents {
  private readonly events: JsonEvents
  private readonly isInObject = new Uint8Array(depthMax + 1)
  private depth = 0
  private expectsKey = false
  private token: 'none' | 'string' | 'literal' = 'none'
  private isEscaped = false
  /** The beginning of a token that a chunk has cut. */
  private readonly held = new Uint8Array(tokenBytesMax)
  private heldBytes = 0
  private isWhole = true

  constructor(events: JsonEvents) {
    this.events = events
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; )
      at = this.token === 'none' ? this.begin(chunk, at) : this.goOn(chunk, at)
  }

  end(): void {
    if (this.token !== 'none') this.endHeld()
  }

  /** Takes what begins at `at`, and returns what follows it. */
  private begin(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number
    if (byte === openBrace || byte === openBracket) this.open(byte === openBrace)
    else if (byte === closeBrace || byte === closeBracket) {
      this.depth -= 1
      this.expectsKey = false
      this.events.close()
    } else if (byte === comma) this.expectsKey = this.isInObject[this.depth] === 1
    else if (byte === quote) return this.beginToken('string', chunk, at)
    else if (byte !== 0x3a && byte !== lineFeed) return this.beginToken('literal', chunk, at)
    return at + 1
  }

  private open(isObject: boolean): void {
    this.depth += 1
    this.isInObject[this.depth] = isObject ? 1 : 0
    this.expectsKey = isObject
    this.events.open(isObject)
  }

  private beginToken(token: 'string' | 'literal', chunk: Uint8Array, start: number): number {
    this.token = token
    this.isEscaped = false
    const end = this.tokenEnd(chunk, start + 1)
    if (end === null) {
      this.hold(chunk, start, chunk.length)
      return chunk.length
    }
    this.token = 'none'
    this.tell(chunk, start, Math.min(end, start + tokenBytesMax), end - start <= tokenBytesMax)
    return end
  }

  private goOn(chunk: Uint8Array, start: number): number {
    const end = this.tokenEnd(chunk, start)
    this.hold(chunk, start, end ?? chunk.length)
    if (end !== null) this.endHeld()
    return end ?? chunk.length
  }

  private hold(chunk: Uint8Array, start: number, end: number): void {
    const fits = Math.min(end - start, tokenBytesMax - this.heldBytes)
    this.held.set(chunk.subarray(start, start + fits), this.heldBytes)
    this.heldBytes += fits
    if (fits < end - start) this.isWhole = false
  }

  private endHeld(): void {
    const [end, isWhole] = [this.heldBytes, this.isWhole]
    this.token = 'none'
    this.heldBytes = 0
    this.isWhole = true
    this.tell(this.held, 0, end, isWhole)
  }

  /** Where the token ends that goes on at `from`; `null` if not in this chunk. */
  private tokenEnd(chunk: Uint8Array, from: number): number | null {
    if (this.token === 'literal') {
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (byte === comma || byte === closeBrace || byte === closeBracket || byte === lineFeed) return at
      }
      return null
    }
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) return at + 1
    }
    return null
  }

  private tell(bytes: Uint8Array, start: number, end: number, isWhole: boolean): void {
    if (this.expectsKey) {
      this.expectsKey = false
      this.events.key(bytes, start, end, isWhole)
    } else this.events.scalar(bytes, start, end, isWhole)
  }
}

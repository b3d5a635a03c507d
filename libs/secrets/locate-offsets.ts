import { pointerTo } from '../core/json-pointer.js'

/** Finds the JSON Pointers of places in a valid JSON document that arrives in chunks. */
export interface OffsetLocator {
  push(chunk: Uint8Array): void
  /** Whether all places have been passed. */
  isDone(): boolean
  /** The pointer of the value at each offset, or of the object around a key; in the order of the offsets. */
  pointers(): readonly string[]
}

/** An open object or array. */
interface Level {
  readonly isObject: boolean
  index: number
  key: Uint8Array
  keyLength: number
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
]

const decoder = new TextDecoder()

function stepOf({ isObject, index, key, keyLength }: Level): string | number {
  return isObject ? String(JSON.parse(`"${decoder.decode(key.subarray(0, keyLength))}"`)) : index
}

/** Longer keys end the pointer before them. */
const keyBytesMax = 1_024

/** @param offsets ascending. */
export function createOffsetLocator(offsets: readonly number[]): OffsetLocator {
  const levels: Level[] = []
  const found: string[] = []
  let base = 0
  let state: 'between' | 'key' | 'string' = 'between'
  let isEscaped = false
  /** Whether a string would be a key. */
  let beforeKey = false

  function pointer(): string {
    const inside = state === 'key' || beforeKey ? levels.slice(0, -1) : levels
    const tooLong = inside.findIndex(({ keyLength }) => keyLength > keyBytesMax)
    return pointerTo((tooLong === -1 ? inside : inside.slice(0, tooLong)).map(stepOf))
  }

  function keepKey(byte: number): void {
    const level = levels.at(-1)
    if (level === undefined) return
    if (level.keyLength === level.key.length && level.keyLength <= keyBytesMax) {
      const larger = new Uint8Array(2 * level.key.length)
      larger.set(level.key)
      level.key = larger
    }
    if (level.keyLength <= keyBytesMax) level.key[level.keyLength] = byte
    level.keyLength += 1
  }

  function takeInString(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) {
      state = 'between'
      return
    }
    if (state === 'key') keepKey(byte)
  }

  function open(isObject: boolean): void {
    levels.push({ isObject, index: 0, key: new Uint8Array(32), keyLength: 0 })
    beforeKey = isObject
  }

  function takeBetween(byte: number): void {
    const level = levels.at(-1)
    if (byte === quote) {
      state = beforeKey ? 'key' : 'string'
      if (beforeKey && level !== undefined) level.keyLength = 0
      beforeKey = false
    } else if (byte === comma && level !== undefined) {
      level.index += 1
      beforeKey = level.isObject
    } else if (byte === openBrace || byte === openBracket) open(byte === openBrace)
    else if (byte === closeBrace || byte === closeBracket) {
      levels.pop()
      beforeKey = false
    }
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && found.length < offsets.length; at += 1) {
        while (offsets[found.length] === base + at) found.push(pointer())
        const byte = chunk[at] ?? 0
        if (state === 'between') takeBetween(byte)
        else takeInString(byte)
      }
      base += chunk.length
    },
    isDone: () => found.length === offsets.length,
    pointers: () => found,
  }
}

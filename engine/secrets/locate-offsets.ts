import { pointerTo } from '../json-pointer.js'

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
  isObject: boolean
  index: number
  key: Uint8Array
  keyLength: number
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
]

/** 1 for what means something between strings. */
const structural = Uint8Array.from({ length: 256 }, (_none, byte) =>
  [quote, comma, openBrace, closeBrace, openBracket, closeBracket].includes(byte) ? 1 : 0,
)

const decoder = new TextDecoder()

function stepOf({ isObject, index, key, keyLength }: Level): string | number {
  return isObject ? String(JSON.parse(`"${decoder.decode(key.subarray(0, keyLength))}"`)) : index
}

/** Longer keys end the pointer before them. */
const keyBytesMax = 1_024

/** Adds bytes to a key, unless it gets too long to be of use. */
function extendKey(level: Level, bytes: Uint8Array, from: number, end: number): void {
  const { key, keyLength } = level
  level.keyLength += end - from
  if (level.keyLength > keyBytesMax) return
  if (level.keyLength > key.length) {
    level.key = new Uint8Array(2 * level.keyLength)
    level.key.set(key)
  }
  for (let at = from; at < end; at += 1) level.key[keyLength + at - from] = bytes[at] ?? 0
}

/** How many backslashes a range ends with. */
function backslashesBefore(chunk: Uint8Array, from: number, end: number): number {
  let at = end
  while (at > from && chunk[at - 1] === backslash) at -= 1
  return end - at
}

/** @param offsets ascending; more may be added before the place that they name is pushed. */
export function createOffsetLocator(offsets: readonly number[]): OffsetLocator {
  /** Those beyond the depth are used again. */
  const levels: Level[] = []
  let depth = 0
  const found: string[] = []
  let base = 0
  let state: 'between' | 'key' | 'string' = 'between'
  /** Whether the bytes so far end with the first half of an escape. */
  let isEscaped = false
  /** Whether a string would be a key. */
  let beforeKey = false
  let next = Number.POSITIVE_INFINITY

  function pointer(): string {
    const inside = levels.slice(0, state === 'key' || beforeKey ? depth - 1 : depth)
    const tooLong = inside.findIndex(({ keyLength }) => keyLength > keyBytesMax)
    return pointerTo((tooLong === -1 ? inside : inside.slice(0, tooLong)).map(stepOf))
  }

  /** The places before `end` that have no pointer yet have the current one. */
  function locateUntil(end: number): void {
    while (next < end) {
      found.push(pointer())
      next = offsets[found.length] ?? Number.POSITIVE_INFINITY
    }
  }

  function open(isObject: boolean): void {
    const level = levels[depth]
    depth += 1
    beforeKey = isObject
    if (level === undefined) {
      levels.push({ isObject, index: 0, key: new Uint8Array(32), keyLength: 0 })
      return
    }
    level.isObject = isObject
    level.index = 0
    level.keyLength = 0
  }

  function takeStructural(byte: number | undefined): void {
    const level = levels[depth - 1]
    if (byte === quote) {
      state = beforeKey ? 'key' : 'string'
      if (beforeKey && level !== undefined) level.keyLength = 0
      beforeKey = false
    } else if (byte === comma && level !== undefined) {
      level.index += 1
      beforeKey = level.isObject
    } else if (byte === openBrace || byte === openBracket) open(byte === openBrace)
    else {
      depth -= 1
      beforeKey = false
    }
  }

  /** Passes what is between strings; returns where it stopped. */
  function passBetween(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (structural[byte ?? 0] === 0) continue
      locateUntil(base + at + 1)
      takeStructural(byte)
      if (byte === quote) return at + 1
    }
    locateUntil(base + chunk.length)
    return chunk.length
  }

  /** Passes a string up to a quote. */
  function passString(chunk: Uint8Array, from: number): number {
    let end = from
    while (end < chunk.length && chunk[end] !== quote) end += 1
    const passed = Math.min(end + 1, chunk.length)
    locateUntil(base + passed)
    const backslashes = backslashesBefore(chunk, from, end)
    const carried = isEscaped && backslashes === end - from ? 1 : 0
    const endsEscaped = (backslashes + carried) % 2 === 1
    const level = levels[depth - 1]
    if (state === 'key' && level !== undefined) extendKey(level, chunk, from, endsEscaped ? passed : end)
    isEscaped = end === chunk.length && endsEscaped
    if (end < chunk.length && !endsEscaped) state = 'between'
    return passed
  }

  return {
    push(chunk) {
      next = offsets[found.length] ?? Number.POSITIVE_INFINITY
      for (let at = 0; at < chunk.length; )
        at = state === 'between' ? passBetween(chunk, at) : passString(chunk, at)
      base += chunk.length
    },
    isDone: () => found.length === offsets.length,
    pointers: () => found,
  }
}

import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from '#engine/json-bytes/json-bytes.js'
import { csvRows } from './csv-row-locator.js'
import { empty, type LocatedRows, type RowRange, type RowReader } from './located-rows.js'
import type { ValueSink } from './pointer-locator.js'

/** Finds rows in a value that arrives in chunks. */
export interface RowLocator extends ValueSink {
  /**
   * Call after the last byte; `null` if the value is neither an array nor a string.
   * @throws CsvError if the value is a string, but not CSV.
   */
  finish(): LocatedRows | null
}

/** The meaning of a byte outside strings; 0 for white space. */
const [opens, closes, separates, beginsString, begins] = [1, 2, 3, 4, 5]
// biome-ignore lint/plugin: a table that is complete once the module is loaded
const meanings = new Uint8Array(256).fill(begins)
meanings.fill(0, 0, 0x21)
for (const byte of [openBracket, openBrace]) meanings[byte] = opens
for (const byte of [closeBracket, closeBrace]) meanings[byte] = closes
meanings[comma] = separates
meanings[quote] = beginsString

/** Splits an array at the commas of its own level. */
function arrayRows({ first, last }: RowRange): RowReader {
  let depth = 0
  let inString = false
  let isEscaped = false
  let total = 0
  let start = 0
  let end = 0

  /** Handles a byte of the array's own level. */
  const atLevel = (meaning: number, at: number): void => {
    if (meaning === closes) {
      if (total <= last) end = at
    } else if (meaning === separates) {
      if (total === last) end = at
      if (total + 1 === first) start = at + 1
      total += 1
    }
  }

  return {
    push(bytes, offset) {
      // Local copies of the state, because this loop runs for every byte.
      let [level, isWithin, isBehind] = [depth, inString, isEscaped]
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0
        if (isBehind) isBehind = false
        else if (isWithin) {
          if (byte === quote) isWithin = false
          else isBehind = byte === backslash
        } else {
          const meaning = meanings[byte] ?? 0
          if (meaning === 0) continue
          if (level === 1) {
            // The first byte of the first item.
            if (total === 0 && meaning !== closes) total = 1
            atLevel(meaning, offset + at)
          }
          if (meaning === beginsString) isWithin = true
          else if (meaning === opens) {
            level += 1
            if (level === 1 && first === 1) start = offset + at + 1
          } else if (meaning === closes) level -= 1
        }
      }
      depth = level
      inString = isWithin
      isEscaped = isBehind
    },
    finish: () => ({ kind: 'array', header: empty, rows: total < first ? empty : { start, end }, total }),
  }
}

function readerOf(firstByte: number | undefined, range: RowRange): RowReader | null {
  if (firstByte === openBracket) return arrayRows(range)
  return firstByte === quote ? csvRows(range) : null
}

/** Needs constant memory. */
export function createRowLocator(range: RowRange): RowLocator {
  let reader: RowReader | null = null
  let offset = 0
  return {
    restart() {
      reader = null
      offset = 0
    },
    push(bytes) {
      if (bytes.length === 0) return
      if (offset === 0) reader = readerOf(bytes[0], range)
      reader?.push(bytes, offset)
      offset += bytes.length
    },
    finish: () => reader?.finish() ?? null,
  }
}

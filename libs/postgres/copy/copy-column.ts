import pg from 'pg'
import { allocateWithHeadroom } from '../../grpc/zero-copy/headroom.js'
import type { Pool } from '../pool.js'
import { type CopyStatement, runCopy } from './copy-statement.js'

/** `PGCOPY\n\377\r\n\0`, then flags and the length of an extension: before the first row, in the same message. */
const headerBytes = 19
/** How many columns a row has, and how many bytes its only value; the trailer at the end is shorter. */
const rowHeadBytes = 6

/** Gathers the values of one column from the messages of `COPY … (FORMAT binary)`, each of which has one row. */
function gatherInto(values: Buffer[]): Required<Pick<CopyStatement, 'take' | 'roomFor'>> {
  let headBytes = headerBytes + rowHeadBytes
  const head = Buffer.alloc(headBytes)
  /** Of the head of this message. */
  let skipped = 0
  let value: Buffer | null = null
  let filled = 0
  return {
    roomFor: (left) =>
      value === null || skipped < headBytes
        ? head.subarray(0, Math.min(headBytes - skipped, left))
        : value.subarray(filled, filled + left),
    take(piece, left) {
      if (skipped === 0) {
        const valueBytes = piece.length + left - headBytes
        value = valueBytes < 0 ? null : allocateWithHeadroom(valueBytes)
        filled = 0
      }
      const ofHead = Math.min(headBytes - skipped, piece.length)
      skipped += ofHead
      if (value !== null) {
        // What was read into its place already need not be copied.
        if (piece.buffer !== value.buffer) piece.copy(value, filled, ofHead)
        filled += piece.length - ofHead
      }
      if (left > 0) return
      if (value !== null) values.push(value)
      skipped = 0
      headBytes = rowHeadBytes
    },
  }
}

/** Text as a literal of SQL: COPY takes no parameters. */
export function literal(text: string): string {
  return pg.escapeLiteral(text)
}

/**
 * The one `bytea` column of a `SELECT`, none of it NULL, row by row, as the bytes themselves: an ordinary query has
 * them in hexadecimal, twice as many. Everything is held in memory, so ask for little at a time. Each value has room for
 * a head in front of it (`withHead`).
 * @throws DomainError `unavailable` when the database cannot be reached; the driver's error otherwise.
 */
export async function copyColumn(pool: Pool, select: string): Promise<readonly Buffer[]> {
  const values: Buffer[] = []
  await runCopy(pool, { text: `COPY (${select}) TO STDOUT (FORMAT binary)`, ...gatherInto(values) })
  return values
}

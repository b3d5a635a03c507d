import pg from 'pg'
import { allocateWithHeadroom } from '../../grpc/zero-copy/bytes-field.js'
import type { Pool } from '../pool.js'
import { type CopyStatement, runCopy } from './copy-statement.js'

/** `PGCOPY\n\377\r\n\0`, then flags and the length of an extension: before the first row, in the same message. */
const headerBytes = 19
/** The number of columns of a row, and the length of its only value; the trailer at the end is shorter. */
const rowHeadBytes = 6

/** Collects the values of one column from the messages of `COPY … (FORMAT binary)`, one row in each. */
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
        // Bytes that were read directly into place need no copy.
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

/** An SQL string literal: COPY takes no parameters. */
export function literal(text: string): string {
  return pg.escapeLiteral(text)
}

/**
 * The one `bytea` column of a `SELECT`, without NULLs, row by row, as raw bytes: an ordinary query returns
 * hexadecimal, twice as many. Everything is held in memory, so read little at a time. Each value has headroom for
 * `prependInPlace`.
 * @throws DomainError `unavailable` if the database cannot be reached; the driver's error otherwise.
 */
export async function copyColumn(pool: Pool, select: string): Promise<readonly Buffer[]> {
  const values: Buffer[] = []
  await runCopy(pool, { text: `COPY (${select}) TO STDOUT (FORMAT binary)`, ...gatherInto(values) })
  return values
}

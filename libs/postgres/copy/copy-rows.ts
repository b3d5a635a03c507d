import type { Duplex } from 'node:stream'
import type { Pool } from '../pool.js'
import { runCopy } from './copy-statement.js'

/**
 * A row in the binary format, each value as `COPY … (FORMAT binary)` expects it: text as UTF-8, numbers big-endian.
 */
export type BinaryRow = readonly Uint8Array[]

/** The message `CopyData` begins with its letter and its length, which excludes the letter. */
const messageHeadBytes = 5
/** `PGCOPY\n\377\r\n\0`, no flags and no extension, in a message of its own. */
const begin = Buffer.from('d\0\0\0\x17PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** The trailer in a message of its own, and `CopyDone`. */
const end = Buffer.from('d\0\0\0\x06\xff\xffc\0\0\0\x04', 'latin1')

/** A message with one row, in pieces: the values themselves are not copied. */
function* messageOf(row: BinaryRow): Generator<Uint8Array, void, undefined> {
  const bytes = row.reduce((sum, value) => sum + 4 + value.length, 2)
  const head = Buffer.alloc(messageHeadBytes + 2, 'd')
  head.writeInt32BE(4 + bytes, 1)
  head.writeInt16BE(row.length, messageHeadBytes)
  yield head
  for (const value of row) {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value.length)
    yield length
    yield value
  }
}

function sendRows(stream: Duplex, rows: readonly BinaryRow[]): void {
  // A single system call for all of them.
  stream.cork()
  stream.write(begin)
  for (const row of rows) for (const piece of messageOf(row)) stream.write(piece)
  stream.write(end)
  stream.uncork()
}

/**
 * Adds rows by one `COPY … FROM STDIN`, all or none: `copyRows(pool, 'document-write', 'chunk (id, bytes)', rows)`. A
 * parameter of an INSERT is copied three times on its way to the socket, a value here not at all. The values may be
 * changed again when it settles.
 * @throws DomainError `unavailable` if the database cannot be reached; the driver's error otherwise.
 */
export async function copyRows(
  pool: Pool,
  name: string,
  target: string,
  rows: readonly BinaryRow[],
): Promise<void> {
  await runCopy(pool, {
    name,
    text: `COPY ${target} FROM STDIN (FORMAT binary)`,
    send: (stream) => sendRows(stream, rows),
  })
}

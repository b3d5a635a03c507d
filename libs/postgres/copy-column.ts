import pg from 'pg'
import { unavailable } from '../core/domain-error.js'
import { isUnavailable } from './errors.js'
import { acquire, type Pool, type PoolClient } from './pool.js'

/** What pg calls on a statement that reads its answer by itself; all of it happens on one connection. */
interface CopyOut extends pg.Submittable {
  callback(error: Error | null): void
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** `PGCOPY\n\377\r\n\0`, then flags and the length of an extension. */
const headerBytes = 19
const tupleHeaderBytes = 6

/** The value of one `COPY … (FORMAT binary)` message with a single column; `null` for the trailer. */
function valueIn(message: Buffer): Buffer | null {
  const tuple = message.subarray(message.toString('latin1', 0, 6) === 'PGCOPY' ? headerBytes : 0)
  if (tuple.length === 0 || tuple.readInt16BE(0) !== 1) return null
  // The parser of pg overwrites its buffer when more arrives.
  return Buffer.from(tuple.subarray(tupleHeaderBytes))
}

function copyOut(client: PoolClient, select: string): Promise<readonly Buffer[]> {
  const values: Buffer[] = []
  return new Promise((resolve, reject) => {
    let failure: Error | null = null
    const statement: CopyOut = {
      submit: (connection) => connection.query(`COPY (${select}) TO STDOUT (FORMAT binary)`),
      callback: (error) => (error === null ? resolve(values) : reject(error)),
      handleCopyData({ chunk }) {
        const value = valueIn(chunk)
        if (value !== null) values.push(value)
      },
      handleError(error) {
        failure = error
        statement.callback(error)
      },
      handleReadyForQuery: () => statement.callback(failure),
    }
    // The rest of what pg may call has nothing to tell here.
    client.query(
      Object.assign(statement, { handleCommandComplete: () => {}, handleRowDescription: () => {} }),
    )
  })
}

/** Text as a literal of SQL: COPY takes no parameters. */
export function literal(text: string): string {
  return pg.escapeLiteral(text)
}

/**
 * The one `bytea` column of a `SELECT`, none of it NULL, row by row, as the bytes themselves: an ordinary query has
 * them in hexadecimal, twice as many. Everything is held in memory, so ask for little at a time.
 * @throws DomainError `unavailable` when the database cannot be reached; the driver's error otherwise.
 */
export async function copyColumn(pool: Pool, select: string): Promise<readonly Buffer[]> {
  const client = await acquire(pool)
  let broken: Error | undefined
  try {
    return await copyOut(client, select)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    if (isUnavailable(error))
      throw unavailable('The database cannot be reached at the moment. Please try again.', error)
    throw error
  } finally {
    client.release(broken)
  }
}

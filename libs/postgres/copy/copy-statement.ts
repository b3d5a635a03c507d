import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { fromDriverError } from '../errors.js'
import { acquire, type Pool } from '../pool.js'
import { observeStatement } from '../session.js'
import { type RoomForPiece, readCopyStream, type TakePiece } from './copy-stream-reader.js'

/** A COPY, and what becomes of its data. */
export interface CopyStatement {
  /** By which it is told of in metrics; `copy` unless given. */
  readonly name?: string
  readonly text: string
  /** Takes the data of `COPY … TO STDOUT` as it arrives, in pieces that are its own. */
  readonly take?: TakePiece
  /** Where the next piece may be put, to be taken there. */
  readonly roomFor?: RoomForPiece
  /** Writes all messages of `COPY … FROM STDIN` and its end. */
  send?(stream: Duplex): void
}

/** What pg calls on a statement that reads its response by itself; all of it happens on one connection. */
interface Submitted extends pg.Submittable {
  callback(error: Error | null): void
  handleCopyInResponse(connection: { readonly stream: Duplex }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

function submit(client: pg.PoolClient, copy: CopyStatement): Promise<void> {
  return new Promise((resolve, reject) => {
    let leaveToDriver = (): void => {}
    const ended = observeStatement({ name: copy.name ?? 'copy' })
    const statement: Submitted = {
      submit(connection) {
        if (copy.take !== undefined)
          leaveToDriver = readCopyStream(connection.stream, copy.take, copy.roomFor)
        connection.query(copy.text)
      },
      callback(error) {
        ended?.(error)
        if (error === null) resolve()
        else reject(error)
      },
      handleCopyInResponse: ({ stream }) => copy.send?.(stream),
      handleError(error) {
        leaveToDriver()
        statement.callback(error)
      },
      handleReadyForQuery() {
        leaveToDriver()
        statement.callback(null)
      },
    }
    // The rest of what pg may call has nothing to tell here.
    client.query(
      Object.assign(statement, { handleCommandComplete: () => {}, handleRowDescription: () => {} }),
    )
  })
}

/**
 * Runs a COPY on any session of the pool, which is thrown away when it fails: nobody knows how much is under way.
 * @throws DomainError `unavailable` when the database cannot be reached; the driver's error otherwise.
 */
export async function runCopy(pool: Pool, copy: CopyStatement): Promise<void> {
  const { client } = await acquire(pool)
  let broken: Error | undefined
  try {
    await submit(client, copy)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw fromDriverError(error)
  } finally {
    client.release(broken)
  }
}

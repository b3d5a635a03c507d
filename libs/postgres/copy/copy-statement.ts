import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { fromDriverError } from '../errors.js'
import { acquire, type Pool } from '../pool.js'
import { observeStatement } from '../session.js'
import { type RoomForPiece, readCopyStream, type TakePiece } from './copy-stream-reader.js'

/** A COPY and its data. */
export interface CopyStatement {
  /** Its name in metrics; `copy` by default. */
  readonly name?: string
  readonly text: string
  /** Takes the data of `COPY … TO STDOUT` as it arrives, in pieces that it may keep. */
  readonly take?: TakePiece
  /** Where to put the next piece, if it should be read in place. */
  readonly roomFor?: RoomForPiece
  /** Writes all messages of `COPY … FROM STDIN` and its end. */
  send?(stream: Duplex): void
}

/** The interface between pg and a statement that reads its own response. */
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
    // pg's other events need no handling here.
    client.query(
      Object.assign(statement, { handleCommandComplete: () => {}, handleRowDescription: () => {} }),
    )
  })
}

/**
 * Runs a COPY on any session of the pool, which is discarded on failure: its state is unknown.
 * @throws DomainError `unavailable` if the database cannot be reached; the driver's error otherwise.
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

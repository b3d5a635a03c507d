import { Socket } from 'node:net'
import type pg from 'pg'

type Run = (...given: readonly unknown[]) => unknown
type Callback = (error: Error | null, result: unknown) => void

function silence(silenceMs: number): Error {
  const message = `the server said nothing for ${silenceMs} ms although it had a statement to answer`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/** Runs a statement by a callback that knows of nothing else; an error tells who asked. */
async function answerTo(run: Run, given: readonly unknown[]): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      const callback: Callback = (error, result) => (error instanceof Error ? reject(error) : resolve(result))
      run(...given, callback)
    })
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

function isForPromise([statement, ...more]: readonly unknown[]): boolean {
  const runsItself = typeof statement === 'object' && statement !== null && 'submit' in statement
  return !runsItself && typeof more.at(-1) !== 'function'
}

/** Ends one session when it is silent; one timer of its socket serves all of its statements. */
function watch(client: pg.PoolClient, silenceMs: number): void {
  const { connection } = client
  const { stream } = connection
  if (!(stream instanceof Socket)) throw new Error('a session is not a socket')
  let unanswered = 0
  const run = client.query.bind(client) as Run
  const query = (...given: readonly unknown[]): unknown => {
    unanswered += 1
    return isForPromise(given) ? answerTo(run, given) : run(...given)
  }
  Object.assign(client, { query })
  connection.on('readyForQuery', () => {
    unanswered -= 1
  })
  stream.setTimeout(silenceMs, () => {
    // A session with nothing to answer may be silent; what is asked from now on has the whole time again.
    if (unanswered === 0) return
    const { bytesRead } = stream
    // What came while this process was held up is read first.
    setImmediate(() => {
      if (stream.bytesRead === bytesRead) stream.destroy(silence(silenceMs))
    })
  })
}

/**
 * Ends every session of a pool that has a statement to answer and says nothing for so long: its statements fail as those
 * of a broken connection do, with `ETIMEDOUT`.
 *
 * In place of `query_timeout` of pg, which has a timer and a closure for every statement: with it, and with promises of
 * its own, whatever a statement found stays in memory until the engine next collects everything.
 */
export function enforceQueryTimeout(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => watch(client, silenceMs))
}

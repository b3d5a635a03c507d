import { Socket } from 'node:net'
import type pg from 'pg'

/** Whether the server has yet to respond to a statement: a member of pg that its types do not name. */
function isRunning(client: pg.PoolClient): boolean {
  return Reflect.get(client, 'readyForQuery') !== true
}

function timedOut(timeoutMs: number): Error {
  const message = `the server sent nothing for ${timeoutMs} ms during a statement`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/**
 * Ends a connection when the server sends nothing for so long during a statement, which then fails with `ETIMEDOUT`. One
 * timer of the socket serves all statements.
 *
 * Replaces `query_timeout` of pg, which makes a timer and a closure for every statement; these keep its result in memory
 * until the next full collection.
 */
export function enforceQueryTimeout(client: pg.PoolClient, timeoutMs: number): void {
  const { stream } = client.connection
  if (!(stream instanceof Socket)) throw new Error('pg has changed: query timeouts cannot be enforced')
  stream.setTimeout(timeoutMs, () => {
    // An idle connection may be silent; its next statement has the whole time again.
    if (!isRunning(client)) return
    const { bytesRead } = stream
    // Bytes that arrived while this process was blocked are read first.
    setImmediate(() => {
      if (stream.bytesRead === bytesRead) stream.destroy(timedOut(timeoutMs))
    })
  })
}

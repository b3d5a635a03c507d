import { Socket } from 'node:net'
import type pg from 'pg'

/** Whether the server still owes a response: a member of pg that its types do not declare. */
function isRunning(client: pg.PoolClient): boolean {
  return Reflect.get(client, 'readyForQuery') !== true
}

function timedOut(timeoutMs: number): Error {
  const message = `the server sent nothing for ${timeoutMs} ms during a statement`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/**
 * Ends a connection if the server sends nothing for this long during a statement, which then fails with `ETIMEDOUT`.
 * One timer of the socket serves all statements.
 *
 * Replaces `query_timeout` of pg, which creates a timer and a closure for every statement; these keep its result in
 * memory until the next full collection.
 */
export function enforceQueryTimeout(client: pg.PoolClient, timeoutMs: number): void {
  const { stream } = client.connection
  if (!(stream instanceof Socket)) throw new Error('pg has changed: query timeouts cannot be enforced')
  stream.setTimeout(timeoutMs, () => {
    // An idle connection may be silent; the timeout restarts with its next statement.
    if (!isRunning(client)) return
    const { bytesRead } = stream
    // Bytes that arrived while this process was blocked are read first.
    setImmediate(() => {
      if (stream.bytesRead === bytesRead) stream.destroy(timedOut(timeoutMs))
    })
  })
}

import type pg from 'pg'
import { metrics } from '../telemetry/catalogue.js'
import { telemetry } from '../telemetry/telemetry.js'
import { errorCode } from './errors.js'

/** A connection taken from its pool. */
export interface Session {
  /**
   * Runs a statement.
   * @throws the driver's error, with a stack that includes the caller.
   */
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>>
  /** The driver's connection. */
  readonly client: pg.PoolClient
}

/** A statement with its values, or only its text. */
type Statement = string | pg.QueryConfig

const controls: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK'])

/** The name of a statement, without the size of a batch; never its text. */
function nameOf(statement: string | Pick<pg.QueryConfig, 'name'>): string {
  if (typeof statement === 'string') return controls.has(statement) ? statement.toLowerCase() : 'unnamed'
  return statement.name?.replace(/-\d+$/, '') ?? 'unnamed'
}

/** Observes a statement until the function returned is called; `null` when neither metrics nor traces are wanted. */
export function observeStatement(
  statement: string | Pick<pg.QueryConfig, 'name'>,
): ((error: unknown) => void) | null {
  if (!telemetry.metrics && telemetry.traces === null) return null
  const name = nameOf(statement)
  const startedAt = performance.now()
  const span = telemetry.traces?.call(name, { 'db.system.name': 'postgresql', 'db.query.summary': name })
  return (error) => {
    const failed = error !== null && error !== undefined
    if (telemetry.metrics) {
      const seconds = (performance.now() - startedAt) / 1_000
      metrics.postgresStatementDuration.series(name, failed ? 'error' : 'ok').observe(seconds)
    }
    span?.end({ failure: failed ? (errorCode(error) ?? 'unknown') : null })
  }
}

/** A callback of our own: a promise of pg would keep the result in memory until the next full collection. */
function run<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const ended = observeStatement(statement)
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null | undefined, result: pg.QueryResult<Row>): void => {
      ended?.(error)
      if (error instanceof Error) reject(error)
      else resolve(result)
    }
    if (typeof statement === 'string') client.query<Row>(statement, callback)
    else client.query<Row>(statement, callback)
  })
}

/** A session on a connection of a pool. */
export function openSession(client: pg.PoolClient): Session {
  return {
    client,
    async query(statement) {
      try {
        return await run(client, statement)
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    },
  }
}

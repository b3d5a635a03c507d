import type pg from 'pg'
import { metrics } from '../telemetry/catalogue.js'
import { telemetry } from '../telemetry/telemetry.js'
import { errorCode } from './errors.js'

const controls: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK'])

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The name of a statement, without the size of a batch; never its text. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return controls.has(statement) ? statement.toLowerCase() : 'unnamed'
  const name = memberOf(statement, 'name')
  if (typeof name === 'string') return name.replace(/-\d+$/, '')
  return typeof memberOf(statement, 'submit') === 'function' ? 'copy' : 'unnamed'
}

function failureOf(error: unknown): string {
  return errorCode(error) ?? 'unknown'
}

/** Notes the beginning of a statement; the function returned notes its end. */
function beginStatement(name: string): (error: unknown) => void {
  const startedAt = performance.now()
  const span = telemetry.traces?.call(name, { 'db.system.name': 'postgresql', 'db.query.summary': name })
  let ended = false
  return (error) => {
    if (ended) return
    ended = true
    const failed = error !== null && error !== undefined
    if (telemetry.metrics) {
      const seconds = (performance.now() - startedAt) / 1_000
      metrics.postgresStatementDuration.series(name, failed ? 'error' : 'ok').observe(seconds)
    }
    span?.end({ failure: failed ? failureOf(error) : null })
  }
}

type AnyFunction = (...args: readonly unknown[]) => unknown

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** Has a callback in this place tell of the end first; false when there is none. */
function wrapCallback(holder: object, key: PropertyKey, ended: (error: unknown) => void): boolean {
  const callback: unknown = Reflect.get(holder, key)
  if (!isFunction(callback)) return false
  return Reflect.set(holder, key, (...given: readonly unknown[]) => {
    ended(given[0])
    return Reflect.apply(callback, holder, given)
  })
}

/** Has every statement of a session told, whichever way it is run. */
function observeClient(client: pg.PoolClient): void {
  const run: unknown = client.query.bind(client)
  if (!isFunction(run)) return
  const query = (...given: readonly unknown[]): unknown => {
    const args = [...given]
    const [statement] = args
    const ended = beginStatement(nameOf(statement))
    if (wrapCallback(args, args.length - 1, ended)) return run(...args)
    if (typeof memberOf(statement, 'submit') === 'function' && statement instanceof Object) {
      wrapCallback(statement, 'callback', ended)
      return run(...args)
    }
    const result = run(...args)
    if (result instanceof Promise) result.then(() => ended(null), ended)
    return result
  }
  Object.assign(client, { query })
}

const names = new WeakMap<pg.Pool, string>()

/** Whether this pool is observed. */
export function isObserved(pool: pg.Pool): boolean {
  return names.has(pool)
}

/** Has a pool and all of its sessions told, if anybody wants to know now. */
export function observePool(pool: pg.Pool, name: string, connectionsMax: number): void {
  if (!telemetry.metrics && telemetry.traces === null) return
  names.set(pool, name)
  pool.on('connect', observeClient)
  const stops = [
    metrics.postgresPoolConnections.observe(() => [
      [[name, 'in_use'], pool.totalCount - pool.idleCount],
      [[name, 'idle'], pool.idleCount],
    ]),
    metrics.postgresPoolWaiting.observe(() => [[[name], pool.waitingCount]]),
    metrics.postgresPoolConnectionsMax.observe(() => [[[name], connectionsMax]]),
  ]
  const end = pool.end.bind(pool)
  pool.end = async () => {
    for (const stop of stops) stop()
    await end()
  }
}

/** Takes a session from the pool, and tells how long that took where the pool is observed. */
export async function connectObserved(pool: pg.Pool): Promise<pg.PoolClient> {
  const name = names.get(pool)
  if (name === undefined) return pool.connect()
  const startedAt = performance.now()
  const told = (outcome: string): void =>
    metrics.postgresAcquireDuration.series(name, outcome).observe((performance.now() - startedAt) / 1_000)
  try {
    const client = await pool.connect()
    told('ok')
    return client
  } catch (error) {
    told('error')
    throw error
  }
}

/**
 * Runs one statement as `Pool.query` does, but as part of the trace of its caller: the pool runs those that had to wait
 * on behalf of whoever gave back the session.
 */
export async function queryObserved<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await connectObserved(pool)
  // A session that breaks says so to the statement as well.
  const ignore = (): void => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    return await client.query<Row>(statement)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.removeListener('error', ignore)
    client.release(broken)
  }
}

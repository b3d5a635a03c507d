import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { telemetry } from '../telemetry/telemetry.js'
import { openSocketWithReusableBuffer } from './copy/reusable-read-buffer.js'
import { databaseUnavailable, errorCode, fromDriverError } from './errors.js'
import { prepareSession, type SessionOptions } from './prepare-session.js'
import { openSession, type Session } from './session.js'

/** Exports the connections of a pool by state, if metrics are on. */
function observePool(pool: pg.Pool, name: string, connectionsMax: number): void {
  if (!telemetry.metrics) return
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

/** Takes a connection from the pool, and measures how long that took. */
async function connectObserved(pool: pg.Pool, name: string): Promise<pg.PoolClient> {
  if (!telemetry.metrics) return pool.connect()
  const startedAt = performance.now()
  const observe = (outcome: string): void =>
    metrics.postgresAcquireDuration.series(name, outcome).observe((performance.now() - startedAt) / 1_000)
  try {
    const client = await pool.connect()
    observe('ok')
    return client
  } catch (error) {
    observe('error')
    throw error
  }
}

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
function enforceQueryTimeout(client: pg.PoolClient, timeoutMs: number): void {
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

const timestamptz = 1184
const parseAnyTime = pg.types.getTypeParser(timestamptz, 'text')
const zone = '+00'

/**
 * A `timestamptz` as UTC sessions print it, to the millisecond. The engine parses ISO 8601 three times as fast as the
 * driver's expression, which lists paid forty times per response; other forms are left to the driver.
 */
export function parseTime(text: string): Date | number | null {
  if (text.endsWith(zone) && text[10] === ' ') {
    const time = new Date(`${text.slice(0, 10)}T${text.slice(11, -zone.length)}Z`)
    if (!Number.isNaN(time.getTime())) return time
  }
  return parseAnyTime(text)
}

/** The value parsers of a pool with UTC sessions. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === timestamptz && format !== 'binary' ? parseTime : pg.types.getTypeParser(oid, format),
}

/** How to reach a service's database. */
export interface PoolOptions extends SessionOptions {
  readonly url: string
  readonly connectionsMax: number
}

/** Added to the server's statement timeout before the client gives up on an unresponsive server, in milliseconds. */
const extraTimeoutMs = 500

/** A new session may be this late: on a busy machine, a login and the start of a backend take more than a second. */
const openTimeoutMs = 3_000
/** If all sessions are in use, or the server has just kept silent: then waiting for longer would only add to it. */
const waitTimeoutMs = 1_000
/** What the driver says when a session takes too long to open. */
const lateLogin = 'Connection terminated due to connection timeout'

type TakeSession = Parameters<typeof pg.Pool.prototype.connect>[0]

/** Passes a session on if it comes in time, and returns it to the pool if it comes later. */
function takenInTime(take: TakeSession): TakeSession {
  let waits = true
  const timer = setTimeout(() => {
    waits = false
    take(new Error('timeout exceeded when waiting for a free session'), undefined, () => {})
  }, waitTimeoutMs)
  return (error, client, release) => {
    clearTimeout(timer)
    if (waits) take(error, client, release)
    // The driver passes nothing to release when it gives up as well.
    else if (client !== undefined) release()
  }
}

/** A service's connections. */
export class Pool extends pg.Pool {
  /** Whether commits wait for the disk, as a label of metrics. */
  readonly commits: 'durable' | 'deferred'
  /** Whether the server was silent during a statement or a login, and has opened no session since. */
  private isSilent = false

  constructor(options: pg.PoolConfig, commits: Pool['commits']) {
    super({ ...options, connectionTimeoutMillis: openTimeoutMs })
    this.commits = commits
    this.on('connect', (client) => {
      this.isSilent = false
      // A session that breaks while in use, between two statements: the next statement fails, and the pool drops it.
      client.on('error', (error) => this.notice(error))
    })
  }

  private notice(error: unknown): void {
    const isLogin = error instanceof Error && error.message === lateLogin
    if (isLogin || errorCode(error) === 'ETIMEDOUT') this.isSilent = true
  }

  override connect(): Promise<pg.PoolClient>
  override connect(take: TakeSession): void
  override connect(take?: TakeSession): Promise<pg.PoolClient> | undefined {
    if (take === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client))),
      )
    }
    const noticed: TakeSession = (error, client, release) => {
      this.notice(error)
      take(error, client, release)
    }
    const isFree = this.idleCount > this.waitingCount
    const isFull = this.totalCount >= this.options.max
    super.connect(!isFree && (isFull || this.isSilent) ? takenInTime(noticed) : noticed)
    return undefined
  }
}

/**
 * A pool of sessions in one schema. Getting a free session takes at most 1 s, a new one 3 s; a broken one is
 * discarded, never fatal.
 */
export function createPool(options: PoolOptions, log: Logger): Pool {
  const pool = new Pool(
    {
      connectionString: options.url,
      max: options.connectionsMax,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: `snipkeep-${options.schema}`,
      onConnect: (client) => prepareSession(client, options),
      types: typeParsers,
      stream: openSocketWithReusableBuffer,
    },
    options.synchronousCommit === false ? 'deferred' : 'durable',
  )
  pool.on('error', (error) =>
    log.warn({ event: 'database_connection_lost', err: error }, 'idle database connection lost'),
  )
  pool.on('connect', (client) => enforceQueryTimeout(client, options.statementTimeoutMs + extraTimeoutMs))
  observePool(pool, pool.commits, options.connectionsMax)
  return pool
}

/**
 * Takes a session from the pool.
 * @throws DomainError `unavailable` if there is none.
 */
export async function acquire(pool: Pool): Promise<Session> {
  try {
    return openSession(await connectObserved(pool, pool.commits))
  } catch (error) {
    throw databaseUnavailable(error)
  }
}

/**
 * Like `Pool.query`, but as part of its caller's trace: the pool runs a queued statement in the context of whoever
 * released the session.
 */
async function queryObserved<Row extends pg.QueryResultRow>(
  pool: Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const { query: run, client } = await acquire(pool)
  let broken: Error | undefined
  try {
    return await run<Row>(statement)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Runs one statement, on any session if it gets a pool.
 * @throws DomainError `unavailable` if the database cannot be reached; the driver's error otherwise.
 */
export async function query<Row extends pg.QueryResultRow>(
  db: Pool | Session,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  if (!(db instanceof Pool)) return db.query<Row>(statement)
  try {
    return telemetry.metrics || telemetry.traces !== null
      ? await queryObserved<Row>(db, statement)
      : await db.query<Row>(statement)
  } catch (error) {
    throw fromDriverError(error)
  }
}

/** The first row of a statement; `undefined` if there is none. */
export async function firstRow<Row extends pg.QueryResultRow>(
  db: Pool | Session,
  statement: pg.QueryConfig,
): Promise<Row | undefined> {
  return (await query<Row>(db, statement)).rows[0]
}

/** What the first row of a statement stands for; `null` if there is none. */
export async function firstAs<Row extends pg.QueryResultRow, Value>(
  db: Pool | Session,
  statement: pg.QueryConfig,
  read: (row: Row) => Value,
): Promise<Value | null> {
  const row = await firstRow<Row>(db, statement)
  return row === undefined ? null : read(row)
}

/** How many rows a statement has returned or changed. */
export async function rowCount(db: Pool | Session, statement: pg.QueryConfig): Promise<number> {
  return (await query(db, statement)).rowCount ?? 0
}

/** A statement with its values, which each session prepares once, by its name. */
export interface Prepared {
  readonly name: string
  readonly text: string
  values: unknown[]
}

/** Names a statement: `const find = statement('share-find')('SELECT … WHERE share.id = $1')`, and then `find(id)`. */
export function statement(name: string): (text: string) => (...values: unknown[]) => Prepared {
  return (text) =>
    (...values) => ({ name, text, values })
}

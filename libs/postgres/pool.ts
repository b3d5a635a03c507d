import pg from 'pg'
import type { Logger } from '../log/logger.js'
import { telemetry } from '../telemetry/telemetry.js'
import { openSocketWithReusableBuffer } from './copy/reusable-read-buffer.js'
import { databaseUnavailable, fromDriverError } from './errors.js'
import { connectObserved, observePool } from './observe-pool.js'
import { enforceQueryTimeout } from './query-timeout.js'
import { openSession, type Session } from './session.js'

const timestamptz = 1184
const parseAnyTime = pg.types.getTypeParser(timestamptz, 'text')
const zone = '+00'

/**
 * A `timestamptz` as sessions in UTC write it, to the millisecond. The engine reads ISO 8601 three times as fast as the
 * driver's expression does, of which lists had each response wait for forty; what is not of that form is left to it.
 */
export function parseTime(text: string): Date | number | null {
  if (text.endsWith(zone) && text[10] === ' ') {
    const time = new Date(`${text.slice(0, 10)}T${text.slice(11, -zone.length)}Z`)
    if (!Number.isNaN(time.getTime())) return time
  }
  return parseAnyTime(text)
}

/** The parsers of values for a pool whose sessions are in UTC. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === timestamptz && format !== 'binary' ? parseTime : pg.types.getTypeParser(oid, format),
}

/** How a service reaches its schema. */
export interface PoolOptions {
  readonly url: string
  /** The schema that unqualified names mean. */
  readonly schema: string
  /** The role that owns the schema; `null` for the one that logs in. */
  readonly role: string | null
  /** The role that sessions take on instead of the owner, if there is one. */
  readonly servingRole?: string | null
  readonly connectionsMax: number
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeoutMs: number
  /** Whether a commit waits for the disk; off is for what a later, waiting commit makes durable. */
  readonly synchronousCommit?: boolean
}

/** How much longer than the server's own limit a response is waited for, for a server that does not respond at all. */
const extraTimeoutMs = 500

/** A service's connections. */
export class Pool extends pg.Pool {
  /** Whether commits wait for the disk, for metrics. */
  readonly commits: 'durable' | 'deferred'

  constructor(options: pg.PoolConfig, commits: Pool['commits']) {
    super(options)
    this.commits = commits
  }
}

/** The role that sessions take on; `null` stays with the one that logs in. */
export function sessionRole({ servingRole, role }: Pick<PoolOptions, 'servingRole' | 'role'>): string | null {
  return servingRole ?? role
}

function sessionOptions(options: PoolOptions): string {
  const settings: Record<string, string | number> = {
    search_path: options.schema,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    TimeZone: 'UTC',
  }
  const role = sessionRole(options)
  if (role !== null) settings.role = role
  if (options.synchronousCommit === false) settings.synchronous_commit = 'off'
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/**
 * A pool of sessions in one schema. A session is waited for at most 1 s; one that breaks is thrown away, never fatal.
 */
export function createPool(options: PoolOptions, log: Logger): Pool {
  const pool = new Pool(
    {
      connectionString: options.url,
      max: options.connectionsMax,
      connectionTimeoutMillis: 1_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: `snipkeep-${options.schema}`,
      options: sessionOptions(options),
      types: typeParsers,
      stream: openSocketWithReusableBuffer,
    },
    options.synchronousCommit === false ? 'deferred' : 'durable',
  )
  pool.on('error', (error) =>
    log.warn({ event: 'database_connection_lost', err: error }, 'idle database connection lost'),
  )
  // One that breaks while it is taken out, between two statements: the next statement says so, and the pool drops it.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', (client) => enforceQueryTimeout(client, options.statementTimeoutMs + extraTimeoutMs))
  observePool(pool, pool.commits, options.connectionsMax)
  return pool
}

/**
 * Takes a session from the pool.
 * @throws DomainError `unavailable` when none can be had.
 */
export async function acquire(pool: Pool): Promise<Session> {
  try {
    return openSession(await connectObserved(pool, pool.commits))
  } catch (error) {
    throw databaseUnavailable(error)
  }
}

/**
 * As `Pool.query`, but as part of the trace of its caller: the pool runs a statement that waited on behalf of whoever gave
 * back the session.
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
 * Runs one statement on any session of the pool.
 * @throws DomainError `unavailable` when the database cannot be reached; the driver's error otherwise.
 */
export async function query<Row extends pg.QueryResultRow>(
  pool: Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  try {
    return telemetry.metrics || telemetry.traces !== null
      ? await queryObserved<Row>(pool, statement)
      : await pool.query<Row>(statement)
  } catch (error) {
    throw fromDriverError(error)
  }
}

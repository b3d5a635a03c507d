import pg from 'pg'

/** The schema of a service, and the settings of its sessions. */
export interface SessionOptions {
  /** The schema of unqualified names. */
  readonly schema: string
  /** The role that owns the schema; `null` for the login itself. */
  readonly role: string | null
  /** The serving role that sessions use instead of the owner, if there is one. */
  readonly servingRole?: string | null
  /** The statement timeout of the server in milliseconds. */
  readonly statementTimeoutMs: number
  /** Whether a commit waits for the disk; off if a later, waiting commit makes it durable. */
  readonly synchronousCommit?: boolean
}

/** The role of sessions; `null` for the login itself. */
export function sessionRole({
  servingRole,
  role,
}: Pick<SessionOptions, 'servingRole' | 'role'>): string | null {
  return servingRole ?? role
}

/** The problem of an address or a login, and its remedy, as two parts of a sentence. */
export interface ConnectionTrouble {
  readonly what: string
  readonly remedy: string
}

/** A new session that cannot be used: without its role or its schema, statements would miss, or hit another schema. */
export class SessionRefused extends Error {
  /** Of SQLSTATE class 08, so that callers are told that the database is unavailable. */
  readonly code = '08004'
  /** What to do; `null` if the cause says it. */
  readonly trouble: ConnectionTrouble | null

  constructor(message: string, trouble: ConnectionTrouble | null, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SessionRefused'
    this.trouble = trouble
  }
}

/**
 * Whether Postgres itself responds. A pooler gives its clients other process ids than those of the servers behind it.
 */
export function isDirect(client: pg.ClientBase, serverPid: number): boolean {
  return Reflect.get(client, 'processID') === serverPid
}

/** The settings of a session; `role` comes last, because it may not be allowed to read everything. */
function settingsOf(options: SessionOptions): ReadonlyMap<string, string> {
  const role = sessionRole(options)
  return new Map([
    ['search_path', options.schema],
    ['statement_timeout', String(options.statementTimeoutMs)],
    ['lock_timeout', String(options.statementTimeoutMs)],
    ['idle_in_transaction_session_timeout', '10000'],
    ['TimeZone', 'UTC'],
    ...(options.synchronousCommit === false ? ([['synchronous_commit', 'off']] as const) : []),
    ...(role === null ? [] : ([['role', role]] as const)),
  ])
}

/** Sets nothing behind a pooler, where other clients would find it in their sessions. */
const set = `
  SELECT pg_backend_pid() AS pid, CASE WHEN pg_backend_pid() = $1 THEN (
    SELECT count(set_config(wanted.name, wanted.value, false))
    FROM unnest($2::text[], $3::text[]) AS wanted (name, value)) END AS settings`

/** In the units of `settingsOf`. */
const show = `
  SELECT pg_settings.name, pg_settings.setting, session_user AS login FROM pg_settings WHERE pg_settings.name = ANY ($1)
  UNION ALL SELECT 'role', current_user, session_user`

interface Shown {
  readonly name: string
  readonly setting: string
  readonly login: string
}

/**
 * Behind a pooler, the settings have to be those of the login. `synchronous_commit` may differ: then commits wait for
 * the disk, which loses nothing.
 * @throws SessionRefused with the statements that set them.
 */
async function checkPooled(client: pg.ClientBase, wanted: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await client.query<Shown>(show, [[...wanted.keys()]])
  const found = new Map(rows.map(({ name, setting }) => [name, setting.replaceAll('"', '')]))
  const wrong = [...wanted].filter(
    ([name, value]) => name !== 'synchronous_commit' && found.get(name) !== value,
  )
  if (wrong.length === 0) return
  const what = `A connection pooler answers, and its sessions lack ${wrong.map(([name]) => name).join(', ')}`
  const login = rows[0]?.login ?? 'login'
  const statements = wrong.map(([name, value]) => `ALTER ROLE "${login}" SET ${name} = '${value}';`)
  const remedy = `use a login for this service alone, run ${statements.join(' ')} and RECONNECT the pooler, or connect to Postgres itself`
  throw new SessionRefused(what, { what, remedy })
}

/** Beyond the time that a new session has to open. */
const timeoutMs = 1_500

/**
 * Gives a new session its schema, role and timeouts, by a statement: poolers refuse the startup parameter `options`, or
 * ignore it.
 * @throws SessionRefused if the session cannot be used.
 */
export async function prepareSession(client: pg.ClientBase, options: SessionOptions): Promise<void> {
  const wanted = settingsOf(options)
  const timer = setTimeout(() => {
    if (client instanceof pg.Client) client.connection.stream.destroy()
  }, timeoutMs)
  try {
    const values = [Reflect.get(client, 'processID'), [...wanted.keys()], [...wanted.values()]]
    const { rows } = await client.query<{ pid: number }>(set, values)
    if (!isDirect(client, Number(rows[0]?.pid))) await checkPooled(client, wanted)
  } catch (error) {
    if (error instanceof SessionRefused) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new SessionRefused(message, null, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { layoutOf } from '#libs/embedded-postgres/cluster.js'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#libs/embedded-postgres/start-embedded-postgres.js'
import { cursorOf } from '#libs/paging/list-position.js'
import { migrate } from '../../e2e/harness/system-process.js'
import { PlanLog, planLogSettings } from './plan-log.js'
import { seededNote } from './seed-database.js'
import { databaseName, few, many, seededDataDir } from './seed-plan.js'
import type { SeededPlaces } from './seeded-calls.js'

/** The seeded database, with its server. */
export interface SeededDatabase {
  readonly server: EmbeddedPostgres
  readonly url: string
  readonly rows: number
  readonly plans: PlanLog
  /** Registers the two seeded owners' accounts at this issuer. */
  signInAt(issuer: string): Promise<void>
  places(): Promise<SeededPlaces>
  stop(): Promise<void>
}

/** The largest database that `npm run bench:seed` has created here. */
async function seededRows(): Promise<number> {
  const folders = await readdir('bench/.data').catch(() => [])
  const sizes = folders.map((name) => Number(/^scale-(\d+)$/.exec(name)?.[1] ?? 0))
  for (const size of sizes.sort((a, b) => b - a)) {
    if (size > 0 && (await readFile(seededNote(seededDataDir(size))).catch(() => null)) !== null) return size
  }
  throw new Error('There is no seeded database; `npm run bench:seed` makes it.')
}

interface Row {
  readonly id: string
  readonly created_at: Date
}

async function rowsOf(client: pg.Client, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await client.query<Row>(text, [...values])).rows
}

async function findPlaces(client: pg.Client, rows: number): Promise<SeededPlaces> {
  const newest = (table: string): string =>
    `SELECT ${table}.id, ${table}.created_at FROM ${table} WHERE ${table}.owner_id = $1`
  const order = 'ORDER BY created_at DESC, id DESC'
  const middle = async (table: string, offset: number): Promise<string> => {
    const [row] = await rowsOf(client, `${newest(table)} ${order} OFFSET $2 LIMIT 1`, [many.id, offset])
    return cursorOf(row === undefined ? null : { createdAt: row.created_at, id: row.id })
  }
  const one = async (table: string, condition = ''): Promise<string> =>
    (await rowsOf(client, `${newest(table)} ${condition} ${order} LIMIT 1`, [many.id]))[0]?.id ?? ''
  // Of every age: each is on another page of the table.
  const every = Math.max(1, Math.floor(rows / 500))
  const spread = `SELECT id, created_at FROM (SELECT snippet.id, snippet.created_at, row_number() OVER () AS place
    FROM content.snippet WHERE snippet.owner_id = $1) AS numbered WHERE numbered.place % $2 = 0`
  return {
    rows,
    snippets: (await rowsOf(client, spread, [many.id, every])).map(({ id }) => id),
    share: await one('content.share', 'AND share.expires_at IS NULL'),
    entry: await one('activity.entry'),
    middle: {
      snippets: await middle('content.snippet', rows / 2),
      // Half of the older half has expired.
      shares: await middle('content.share', rows / 40),
      entries: await middle('activity.entry', rows),
    },
  }
}

/** Deletes what a run has created, so that the next one finds the seeded state. */
async function removeMade(client: pg.Client): Promise<void> {
  await client.query(
    `
    WITH gone AS (
      DELETE FROM content.snippet WHERE snippet.owner_id = ANY ($1) AND snippet.tool = 'bench' RETURNING snippet.owner_id)
    UPDATE content.owner SET snippet_count = owner.snippet_count - made.count
    FROM (SELECT gone.owner_id, count(*) AS count FROM gone GROUP BY gone.owner_id) AS made
    WHERE owner.owner_id = made.owner_id`,
    [[many.id, few.id]],
  )
  await client.query(
    `
    WITH gone AS (
      DELETE FROM activity.entry WHERE entry.owner_id = $1 AND entry.tool = 'bench' RETURNING 1)
    UPDATE activity.owner SET entry_count = owner.entry_count - (SELECT count(*) FROM gone) WHERE owner.owner_id = $1`,
    [many.id],
  )
  await client.query('VACUUM content.snippet, activity.entry')
}

/**
 * Starts the server on the seeded data, with the embedded default's memory settings.
 * @throws Error if nothing was seeded.
 */
export async function openSeededDatabase(): Promise<SeededDatabase> {
  const rows = await seededRows()
  const dataDir = seededDataDir(rows)
  const server = await startEmbeddedPostgres({ dataDir, settings: planLogSettings, log: () => {} })
  const url = new URL(server.url)
  url.pathname = `/${databaseName}`
  // It may have been seeded by an earlier release.
  await migrate('dist/services/content/main.js', { DATABASE_URL: url.href })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    server,
    url: url.href,
    rows,
    plans: new PlanLog(client, layoutOf(dataDir).log),
    async signInAt(issuer) {
      const ids = [many.id, few.id]
      await client.query('DELETE FROM identity.account WHERE account.id <> ALL ($1)', [ids])
      await client.query('UPDATE identity.account SET issuer = $1', [issuer])
    },
    places: () => findPlaces(client, rows),
    async stop() {
      await removeMade(client)
      await client.query('ALTER SYSTEM RESET auto_explain.log_min_duration')
      await client.end()
      await server.stop()
    },
  }
}

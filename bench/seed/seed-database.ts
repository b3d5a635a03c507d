import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { migrateServices } from '../../e2e/harness/migrated-database.js'
import { untilWritten } from '../disk.js'
import { copyIn } from './copy-in.js'
import {
  databaseName,
  few,
  many,
  type SeedSize,
  seededDataDir,
  seedSize,
  usualSnippets,
} from './seed-plan.js'
import { entryWriter, OwnerCounts, seededRows, shareWriter, snippetWriter } from './seeded-rows.js'
import { withoutIndexes } from './without-indexes.js'

/** Not crash-safe: after a crash, seeding starts over. */
const seedingSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_buffers: '256MB',
  maintenance_work_mem: '512MB',
}

type Say = (sentence: string) => void
type RowWriter = ReturnType<typeof snippetWriter>

interface Table {
  readonly name: string
  readonly writer: RowWriter
  readonly rows: number
}

async function fill(
  client: pg.Client,
  { name, writer, rows }: Table,
  size: SeedSize,
  now: number,
  say: Say,
): Promise<OwnerCounts> {
  const counts = new OwnerCounts()
  const seed = name.length * 7_919
  await withoutIndexes(
    client,
    name,
    async () => {
      const startedAt = performance.now()
      // Postgres loads a table truncated in the same transaction without WAL, and freezes its rows.
      await client.query('BEGIN')
      await client.query(`TRUNCATE ${name}`)
      const chunks = seededRows(writer, { many: rows, few: size.few }, { seed, now }, counts)
      await copyIn(client, `${name} (${writer.columns.join(', ')})`, ', FREEZE', chunks)
      await client.query('COMMIT')
      say(`${rows} rows in ${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    },
    say,
  )
  return counts
}

async function writeOwners(client: pg.Client, statement: string, counts: OwnerCounts): Promise<void> {
  const owners = [...counts.counts.keys()]
  const times = owners.map((owner) => new Date(counts.newest.get(owner) ?? 0))
  await client.query(statement, [owners, owners.map((owner) => counts.counts.get(owner)), times])
}

const snippetOwners = `
  INSERT INTO content.owner (owner_id, snippet_count, plan_version)
  SELECT counted.owner_id, counted.count, 1 FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS counted (owner_id, count, at)
  ON CONFLICT (owner_id) DO UPDATE SET snippet_count = excluded.snippet_count, plan_version = excluded.plan_version`

const shareOwners = `
  INSERT INTO content.owner (owner_id, share_count, plan_version)
  SELECT counted.owner_id, counted.count, 1 FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS counted (owner_id, count, at)
  ON CONFLICT (owner_id) DO UPDATE SET share_count = excluded.share_count`

const entryOwners = `
  INSERT INTO activity.owner (owner_id, plan, plan_version, entry_count, newest_at)
  SELECT counted.owner_id, 'pro', 1, counted.count, counted.at FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS counted (owner_id, count, at)`

const accounts = `
  INSERT INTO identity.account (id, issuer, subject, email_verified, plan, plan_version)
  SELECT account.id, 'nobody yet', account.subject, false, 'pro', 1 FROM unnest($1::text[], $2::text[]) AS account (id, subject)`

async function fillAll(client: pg.Client, size: SeedSize, now: number, say: Say): Promise<void> {
  const table = (name: string, writer: RowWriter, rows: number): Table => ({ name, writer, rows })
  const snippets = table('content.snippet', snippetWriter(1), size.snippets)
  const shares = table('content.share', shareWriter(2), size.shares)
  const entries = table('activity.entry', entryWriter(3), size.entries)
  await writeOwners(client, snippetOwners, await fill(client, snippets, size, now, say))
  await writeOwners(client, shareOwners, await fill(client, shares, size, now, say))
  await writeOwners(client, entryOwners, await fill(client, entries, size, now, say))
  const owners = [many, few]
  await client.query(accounts, [owners.map(({ id }) => id), owners.map(({ subject }) => subject)])
  const startedAt = performance.now()
  await client.query('ANALYZE')
  say(`ANALYZE: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
}

/** Marks a folder as completely seeded. */
export function seededNote(dataDir: string): string {
  return join(dataDir, 'seeded.json')
}

/**
 * Creates a Postgres in the folder, replacing what was there, and fills the tables created by our migrations:
 * the owner of many gets `snippets` of them, and shares and history in proportion.
 */
export async function seedDatabase(snippets: number, say: Say): Promise<void> {
  const startedAt = performance.now()
  const dataDir = seededDataDir(snippets)
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir, settings: seedingSettings, log: say })
  try {
    const url = new URL(postgres.url)
    const server = new pg.Client({ connectionString: postgres.url })
    await server.connect()
    await server.query(`CREATE DATABASE ${databaseName}`)
    await server.end()
    url.pathname = `/${databaseName}`
    await migrateServices(url.href)
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      await fillAll(client, seedSize(snippets), Date.now(), say)
    } finally {
      await client.end()
    }
  } finally {
    await postgres.stop()
  }
  // Without fsync even the last checkpoint leaves gigabytes to the operating system, and the commits of others wait
  // behind them for longer than a statement may take.
  await untilWritten()
  const seconds = (performance.now() - startedAt) / 1_000
  await writeFile(
    seededNote(dataDir),
    `${JSON.stringify({ ...seedSize(snippets), seconds, at: new Date() })}\n`,
  )
  say(`Seeded in ${seconds.toFixed(0)} s.`)
}

/** Seeds a database of the usual size unless that has been completed before. */
export async function seedUnlessThere(say: Say): Promise<void> {
  const note = seededNote(seededDataDir(usualSnippets))
  const isThere = await access(note).then(
    () => true,
    () => false,
  )
  if (!isThere) await seedDatabase(usualSnippets, say)
}

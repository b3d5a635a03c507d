import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnerId, ownerId, shareId, snippetId } from '../domain/ids.js'
import { snippetDraft, snippetFilter } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresEventOutbox } from './postgres-event-outbox.js'
import { postgresIdempotencyStore } from './postgres-idempotency-store.js'
import { postgresShareStore } from './postgres-share-store.js'
import { postgresSnippetStore } from './postgres-snippet-store.js'

const owners = Array.from({ length: 20 }, (_, n) => ownerId(`owner ${n}`))
const many = 20_000
/** After five executions, Postgres keeps the plan of a prepared statement, whatever becomes of its tables. */
const roundsUntilPlanned = 10

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_plans')
})
afterAll(() => fixture?.close())

const fill = `
  INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, created_at, updated_at)
  SELECT 'owner ' || n % 20, 'filled ' || n, 'json', 'T', '{}', '{}', 2, '\\x00', '{}', now(), now()
  FROM generate_series(1, ${many}) AS n;
  INSERT INTO idempotency_key (owner_id, operation, key, holder, state, lease_until, fingerprint, answer, created_at)
  SELECT 'owner ' || n % 20, 'create-snippet', 'filled ' || n, 'holder', 'done', now(), 'f', '{}', now()
  FROM generate_series(1, ${many}) AS n`

/** Events that are not due yet, and one owner with far more snippets than others. */
const fillQueue = `
  INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, created_at, updated_at)
  SELECT 'rare ' || n, 'rare ' || n, 'json', 'T', '{}', '{}', 2, '\\x00', '{}', now(), now()
  FROM generate_series(1, ${many}) AS n;
  INSERT INTO event_delivery (owner_id, id, type, principal_kind, subject_kind, subject_id, detail, created_at, due_at)
  SELECT 'owner ' || n % 20, 'event ' || n, 'snippet.created', 'owner', 'snippet', 'filled ' || n, '{}', now(), now() + interval '1 hour'
  FROM generate_series(1, ${many}) AS n`

it('statements that were planned for empty tables do not read whole ones once they are large', async () => {
  // One session, so that all rounds execute the same prepared statements.
  const pool = fixture.openPool({ connectionsMax: 1 })
  const snippets = postgresSnippetStore(pool)
  const idempotency = postgresIdempotencyStore(pool)
  const createOne = async (owner: OwnerId, round: number): Promise<void> => {
    const lease = {
      key: { ownerId: owner, operation: 'create-snippet', key: `round ${round}` },
      holder: owner,
    } as const
    expect(await idempotency.begin(lease)).toEqual({ state: 'held' })
    const draft = snippetDraft(fixture, { ownerId: owner })
    expect(await snippets.add(draft, null, { lease, fingerprint: 'f' })).not.toBeNull()
  }
  const createAndFind = async (round: number): Promise<void> => {
    await Promise.all(owners.map((owner) => createOne(owner, round)))
    await snippets.findIds(owners.map((owner) => ({ ownerId: owner, name: 'none' })))
  }
  for (let round = 0; round < roundsUntilPlanned; round += 1) await createAndFind(round)
  await fixture.pool.query(fill)
  await createAndFind(roundsUntilPlanned)
  // A session reports what it has read once a second at most, unless it is told to.
  await pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await fixture.pool.query<{ table: string; read: string }>(
    `SELECT relname AS table, seq_tup_read AS read FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND relname IN ('snippet', 'idempotency_key')`,
  )
  expect(rows).toHaveLength(2)
  for (const { table, read } of rows)
    expect({ table, wholeReads: Math.floor(Number(read) / many) }).toEqual({ table, wholeReads: 0 })
})

/** Reads and claims by key, one at a time, as one person or one pipeline asks. */
it('plans a lone read once, not each time', async () => {
  const pool = fixture.openPool({ connectionsMax: 1 })
  const snippets = postgresSnippetStore(pool)
  const shares = postgresShareStore(pool)
  const outbox = postgresEventOutbox(pool)
  const [owner] = owners
  if (owner === undefined) throw new Error('there are owners')
  const lone: readonly (() => Promise<unknown>)[] = [
    () => snippets.findAll([{ ownerId: owner, id: snippetId('filled 1'), includeData: true }]),
    () => snippets.findEtags([{ ownerId: owner, id: snippetId('filled 1') }]),
    () => snippets.findIds([{ ownerId: owner, name: 'none' }]),
    () => snippets.list(snippetFilter({ ownerId: owner })),
    () => snippets.list(snippetFilter({ ownerId: owner, tool: 'json', includeData: false })),
    () => snippets.listEtags(snippetFilter({ ownerId: owner })),
    () => shares.find(shareId('none'), true),
    () => shares.list({ ownerId: owner, tool: null, state: 'all', after: null, itemsMax: 20 }),
    () => outbox.claim(500, 1_000),
  ]
  await fixture.pool.query(fillQueue)
  await fixture.pool.query('ANALYZE')
  for (const read of lone) for (let round = 0; round < 2 * roundsUntilPlanned; round += 1) await read()
  const { rows } = await pool.query<{ name: string; planned: number; kept: number }>(
    `SELECT name, custom_plans::int AS planned, generic_plans::int AS kept FROM pg_prepared_statements
    WHERE name <> '' ORDER BY name`,
  )
  expect(rows.length).toBeGreaterThanOrEqual(lone.length)
  expect(rows.filter(({ planned, kept }) => planned > kept)).toEqual([])
})

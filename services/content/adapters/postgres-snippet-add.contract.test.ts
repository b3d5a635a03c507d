import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Completion } from '../domain/idempotency.js'
import { type OwnerId, ownerId, type SnippetId } from '../domain/ids.js'
import type { Snippet } from '../domain/snippet.js'
import type { SnippetFilter } from '../domain/snippet-reads.js'
import { storageQuota } from '../domain/stored-data.js'
import { ann, bob, noCheck, snippetDraft, snippetFilter } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresSnippetStore } from './postgres-snippet-store.js'

const owners = Array.from({ length: 20 }, (_, n) => ownerId(`owner ${n}`))

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_add')
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.reset()
  await fixture.pool.query('INSERT INTO owner (owner_id) SELECT unnest($1::text[])', [[...owners, ann, bob]])
})

const keyOf = (owner: OwnerId) => ({ ownerId: owner, operation: 'create-snippet' as const, key: 'k' })

/**
 * Creates a snippet for each owner, concurrently, each with its own key; `holderOf` says who claims to hold
 * it.
 */
async function addForEach(
  list: readonly OwnerId[],
  { title = 'T', holderOf = (owner: OwnerId): string => `holder of ${owner}` } = {},
): Promise<readonly PromiseSettledResult<Snippet | null>[]> {
  const { idempotency, snippets } = fixture.ports
  const leases = list.map((owner) => ({ key: keyOf(owner), holder: `holder of ${owner}` }))
  const states = await Promise.all(leases.map((lease) => idempotency.begin(lease)))
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['held']))
  const completionOf = (owner: OwnerId): Completion => ({
    lease: { key: keyOf(owner), holder: holderOf(owner) },
    fingerprint: `f ${owner}`,
  })
  return Promise.allSettled(
    list.map((owner) =>
      snippets.add(
        snippetDraft(fixture, { ownerId: owner, title: owner === bob ? title : 'T' }),
        5,
        completionOf(owner),
      ),
    ),
  )
}

/** Whether a statement waits for a lock of this session. */
async function isWaitedFor(pid: number): Promise<boolean> {
  const text = 'SELECT pid FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))'
  return (await fixture.pool.query(text, [pid])).rows.length > 0
}

async function idsOf(owner: OwnerId): Promise<readonly SnippetId[]> {
  const filter: SnippetFilter = { ...snippetFilter(), ownerId: owner }
  return (await fixture.ports.snippets.list(filter)).items.map(({ record }) => record.id)
}

it('concurrent creates are stored by one transaction, and complete their requests', async () => {
  const made = await addForEach(owners)
  const { rows } = await fixture.pool.query<{ xmin: string }>('SELECT DISTINCT xmin::text FROM snippet')
  expect(rows).toHaveLength(1)
  for (const [index, owner] of owners.entries()) {
    const one = made[index]
    const id = one?.status === 'fulfilled' ? one.value?.id : undefined
    expect(await idsOf(owner)).toEqual([id])
    const state = await fixture.ports.idempotency.begin({ key: keyOf(owner), holder: 'later' })
    expect(state).toMatchObject({ state: 'done', fingerprint: `f ${owner}` })
    expect(state.state === 'done' && JSON.parse(state.response).id).toBe(id)
  }
})

it.each([
  [
    'whose lease was lost',
    { holderOf: (owner: OwnerId) => (owner === bob ? 'nobody' : `holder of ${owner}`) },
  ],
  ['that the database cannot store', { title: 'no text: \u0000' }],
])('one %s fails alone, and leaves nothing behind', async (_what, options) => {
  const made = await addForEach([...owners, bob, ann], options)
  const failed = made.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
  expect(failed).toEqual([owners.length])
  expect(await fixture.ports.snippets.count(bob)).toBe(0)
  expect(await idsOf(bob)).toEqual([])
  for (const owner of [...owners, ann]) expect(await idsOf(owner)).toHaveLength(1)
})

it('an owner whose counter is locked elsewhere delays no one else', async () => {
  const other = await fixture.pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT FROM owner WHERE owner_id = $1 FOR UPDATE', [bob])
    let waiting = 0
    const held: Promise<Snippet | null>[] = []
    for (let round = 1; round <= 3; round += 1) {
      const { snippets } = fixture.ports
      const add = (owner: OwnerId): Promise<Snippet | null> =>
        snippets.add(snippetDraft(fixture, { ownerId: owner }), null, null)
      waiting += 1
      held.push(add(bob).finally(() => (waiting -= 1)))
      const made = await Promise.all(owners.map(add))
      expect(made.every((one) => one !== null)).toBe(true)
      expect(waiting).toBe(round)
    }
    await other.query('COMMIT')
    for (const one of held) expect(await one).not.toBeNull()
    expect(await fixture.ports.snippets.count(bob)).toBe(3)
  } finally {
    other.release()
  }
})

/** How many transactions stored the snippets of an owner. */
async function transactionsOf(owner: OwnerId): Promise<number> {
  const text = 'SELECT DISTINCT xmin::text FROM snippet WHERE owner_id = $1'
  return (await fixture.pool.query(text, [owner])).rows.length
}

it('creates that wait for their owner share a transaction once its counter is unlocked', async () => {
  const { snippets } = fixture.ports
  const add = (): Promise<Snippet | null> => snippets.add(snippetDraft(fixture, { ownerId: bob }), 100, null)
  const other = await fixture.pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT FROM owner WHERE owner_id = $1 FOR UPDATE', [bob])
    const pid = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0
    const blocked = Array.from({ length: 3 }, add)
    await expect.poll(() => isWaitedFor(pid)).toBe(true)
    // These arrive while the first ones hold the queue.
    const behind = Array.from({ length: 30 }, add)
    // Someone else's create: when it ends, the shared batch has skipped them.
    await snippets.add(snippetDraft(fixture, { ownerId: ann }), null, null)
    await other.query('COMMIT')
    for (const one of [...blocked, ...behind]) expect(await one).not.toBeNull()
  } finally {
    other.release()
  }
  expect(await fixture.ports.snippets.count(bob)).toBe(33)
  expect(await transactionsOf(bob)).toBe(2)
})

it('concurrent creates of a new owner are stored by one transaction', async () => {
  const owner = ownerId('new')
  const made = await Promise.all(
    Array.from({ length: 20 }, () =>
      fixture.ports.snippets.add(snippetDraft(fixture, { ownerId: owner }), 20, null),
    ),
  )
  expect(made.every((one) => one !== null)).toBe(true)
  expect(await transactionsOf(owner)).toBe(1)
  const more = await Promise.all(
    [1, 2].map(() => fixture.ports.snippets.add(snippetDraft(fixture, { ownerId: owner }), 21, null)),
  )
  expect(more.filter((one) => one !== null)).toHaveLength(1)
})

it('concurrent creates of one owner fill the limit exactly', async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = ownerId(`round ${round}`)
    await fixture.pool.query('INSERT INTO owner (owner_id) VALUES ($1)', [owner])
    const made = await Promise.all(
      Array.from({ length: 30 }, () =>
        fixture.ports.snippets.add(snippetDraft(fixture, { ownerId: owner }), 7, null),
      ),
    )
    expect(made.filter((one) => one !== null)).toHaveLength(7)
    expect([await fixture.ports.snippets.count(owner), (await idsOf(owner)).length]).toEqual([7, 7])
  }
})

it('at the limit of snippets, one that is deleted in between makes room, and storage is not blamed', async () => {
  const { snippets } = fixture.ports
  const quota = storageQuota('free', { storedBytes: 1_000_000 })
  const first = await snippets.add(snippetDraft(fixture, { ownerId: ann }), 1, null, quota)
  let deleted: Promise<unknown> | null = null
  const pool = fixture.openPool({})
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...statement: unknown[]) => unknown
    const afterDelete = (...statement: unknown[]): unknown => {
      if (statement[0] !== 'BEGIN') return query(...statement)
      deleted ??= snippets.remove(ann, first?.id as SnippetId, noCheck, true)
      return deleted.then(() => query(...statement))
    }
    Object.assign(client, { query: afterDelete })
  })
  const second = await postgresSnippetStore(pool).add(snippetDraft(fixture, { ownerId: ann }), 1, null, quota)
  expect(deleted).not.toBeNull()
  expect(await idsOf(ann)).toEqual([second?.id])
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { transaction } from '#libs/postgres/transaction.js'
import { revealShare } from '../application/reveal-share.js'
import type { ShareId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'
import { shareDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresShareGates } from './postgres-share-gates.js'
import { shareAttemptsContract } from './share-attempts-contract.js'

let fixture: PostgresFixture
let processes: readonly ContentPorts[]

beforeAll(async () => {
  fixture = await openPostgresFixture('content_share_attempts')
  processes = Array.from({ length: 4 }, () => ({
    ...fixture.ports,
    gates: postgresShareGates(fixture.openPool({})),
  }))
})
afterAll(() => fixture?.close())

shareAttemptsContract('a repeated attempt in Postgres', () => fixture.reset())

beforeEach(() => fixture.reset())

async function add(viewsMax: number): Promise<ShareId> {
  const gate = { passwordHash: null, viewsMax }
  const draft = shareDraft(fixture, { id: fixture.ports.ids.gatedShare(), gate })
  return (await fixture.ports.shares.add(draft, () => null, null)).id
}

function process(n: number): ContentPorts {
  const ports = processes[n % processes.length]
  if (ports === undefined) throw new Error('there are no processes')
  return ports
}

async function stored(id: ShareId): Promise<unknown> {
  const text = `
    SELECT share.gate_views_left::int AS left, share.gate_views::int AS views,
      (SELECT share_view.views::int FROM share_view WHERE share_view.share_id = share.id) AS counted,
      (SELECT count(*)::int FROM share_grant WHERE share_grant.share_id = share.id) AS grants
    FROM share WHERE share.id = $1`
  return (await fixture.pool.query(text, [id])).rows[0]
}

it('the same attempt, 20 times at once by four processes, uses up one view, even the last', async () => {
  for (let round = 0; round < 10; round += 1) {
    for (const viewsMax of [1, 5]) {
      const [id, attempt] = [await add(viewsMax), fixture.ports.ids.accessGrant()]
      const given = await Promise.all(
        Array.from({ length: 20 }, (_none, n) => revealShare(process(n), id, { password: '', attempt })),
      )
      expect(new Set(given.map(({ grant, expiresAt }) => `${grant} ${expiresAt.getTime()}`)).size).toBe(1)
      expect(await stored(id)).toEqual({ left: viewsMax - 1, views: 1, counted: 1, grants: 1 })
    }
  }
})

it('of ten attempts, each sent four times at once, as many are given as there are views', async () => {
  const id = await add(5)
  const attempts = Array.from({ length: 10 }, () => fixture.ports.ids.accessGrant())
  const codes = await Promise.all(
    Array.from({ length: 40 }, (_none, n) =>
      revealShare(process(n), id, { password: '', attempt: attempts[n % 10] ?? '' }).then(
        ({ grant }) => grant,
        ({ code }: { code: string }) => code,
      ),
    ),
  )
  const given = codes.filter((code) => code !== 'share_used_up')
  expect([given.length, new Set(given).size]).toEqual([20, 5])
  expect(await stored(id)).toEqual({ left: 0, views: 5, counted: 5, grants: 5 })
})

it('one attempt for two shares at once opens one of them', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ids, attempt] = [[await add(1), await add(1)], fixture.ports.ids.accessGrant()]
    const codes = await Promise.all(
      ids.map((id, n) =>
        revealShare(process(n), id, { password: '', attempt }).then(
          () => 'ok',
          ({ code }: { code: string }) => code,
        ),
      ),
    )
    expect(codes.toSorted()).toEqual(['ok', 'unavailable'])
    const views = await Promise.all(ids.map(async (id) => stored(id)))
    expect(views).toContainEqual({ left: 1, views: 0, counted: null, grants: 0 })
    expect(views).toContainEqual({ left: 0, views: 1, counted: 1, grants: 1 })
  }
})

it('the job that deletes ended grants leaves one that an attempt renews meanwhile', async () => {
  const [id, attempt] = [await add(2), fixture.ports.ids.accessGrant()]
  await revealShare(process(0), id, { password: '', attempt })
  await fixture.passTime(600_000)
  const { deleting } = await transaction(fixture.pool, async (tx) => {
    await tx.query({ text: "UPDATE share_grant SET expires_at = now() + interval '10 minutes'", values: [] })
    const { rows } = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] })
    const deleting = process(0).gates.deleteEndedAccessGrants(10)
    const waiting = 'SELECT pid FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))'
    await expect
      .poll(async () => (await fixture.pool.query(waiting, [rows[0]?.pid])).rowCount, { interval: 5 })
      .toBe(1)
    return { deleting }
  })
  expect(await deleting).toBe(0)
  expect(await stored(id)).toMatchObject({ grants: 1 })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Pool } from '#libs/postgres/pool.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { createCheck } from '../application/checks.js'
import type { CheckStore } from '../contract-ports.js'
import type { Check } from '../domain/check.js'
import { approver, checkDraft, checkedSnippet, oneBreak } from '../testing/checked-snippet.js'
import { ann, documentData } from '../testing/content-fixture.js'
import { findInconsistencies } from '../testing/find-inconsistencies.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresCheckStore } from './postgres-check-store.js'

type Moment = 'before' | 'after'
type Callback = (error: Error | null, result?: unknown) => void

let fixture: PostgresFixture
let of: Awaited<ReturnType<typeof checkedSnippet>>
let fragile: CheckStore
/** When the connection of a transaction breaks; `left` counts down its statements. */
let kill: { left: number; readonly moment: Moment } | null = null

/** A pool whose transactions lose their connection when `kill` says so. */
function breakTransactions(open: Pool): Pool {
  const connect = open.connect.bind(open)
  const known = new WeakSet<object>()
  const guarded = async () => {
    const client = await connect()
    if (known.has(client)) return client
    known.add(client)
    const query: (statement: unknown, callback: Callback) => void = client.query.bind(client)
    const breakNow = (): void => {
      kill = null
      client.connection.stream.destroy()
    }
    const observed = (statement: unknown, callback: Callback): void => {
      if (kill !== null) kill.left -= 1
      const moment = kill?.left === 0 ? kill.moment : null
      if (moment === 'before') breakNow()
      query(statement, (error, result) => {
        if (moment !== 'after') return callback(error, result)
        breakNow()
        callback(Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' }))
      })
    }
    return Object.assign(client, { query: observed })
  }
  // Without a callback only: transactions connect like this, single statements do not.
  return Object.assign(open, { connect: (take?: never) => (take === undefined ? guarded() : connect(take)) })
}

beforeAll(async () => {
  fixture = await openPostgresFixture('content_check_crashes')
  fragile = postgresCheckStore(breakTransactions(fixture.openPool({ connectionsMax: 1 })))
})
afterAll(() => fixture?.close())
beforeEach(() => prepare())

async function prepare(): Promise<void> {
  kill = null
  await fixture.reset()
  of = await checkedSnippet(fixture)
}

const approvals = { snippets: null, refuse: () => new Error('no limit'), revisions: 10 }
const decide = (checks: CheckStore, id: Check['id'], approve: boolean) =>
  checks.decide(
    { ownerId: ann, id },
    { approve, note: 'n', principal: approver, newSnippet: fixture.ports.ids.snippet() },
    approvals,
  )

/**
 * Does something with a connection that breaks at each of its statements in turn, until none breaks.
 * @param act what is done; the failed act must be repeatable by `again`.
 */
async function atEachStatement(
  moment: Moment,
  arrange: () => Promise<{
    act: () => Promise<unknown>
    again: () => Promise<unknown>
    holds: () => Promise<void>
  }>,
): Promise<number> {
  for (let statement = 1; ; statement += 1) {
    await prepare()
    const { act, again, holds } = await arrange()
    kill = { left: statement, moment }
    const failed = await act().then(
      () => false,
      (error: unknown) => {
        expect(error, `statement ${statement}`).toMatchObject({ kind: 'unavailable' })
        return true
      },
    )
    kill = null
    expect(await findInconsistencies(fixture.pool), `statement ${statement}`).toEqual([])
    if (failed) await again()
    await holds()
    expect(await findInconsistencies(fixture.pool), `statement ${statement}`).toEqual([])
    if (!failed) return statement
  }
}

const moments: readonly Moment[] = ['before', 'after']

describe.each(moments)('with a connection that breaks %s any statement', (moment) => {
  const limits = { ...testPlanLimits, revisions: 10 }
  /** A candidate that is sent with one key until the sender hears of it. */
  const sending =
    (fields: Parameters<typeof checkDraft>[2], holds: (check: Check) => Promise<void>) => async () => {
      const draft = checkDraft(fixture, of.snippet.id, fields)
      const send = async (checks: CheckStore): Promise<Check> => {
        const request = { ...draft, plan: 'free' as const, limits, idempotencyKey: 'k' }
        return (await createCheck({ ...fixture.ports, checks }, request)).result
      }
      let heard: Check | null = null
      return {
        act: async () => {
          heard = await send(fragile)
        },
        again: async () => {
          heard = await send(fixture.ports.checks)
        },
        holds: async () => {
          const { items } = await of.list()
          const found = heard === null ? undefined : await of.find(heard.id)
          expect(found).toEqual(heard)
          expect(items.filter(({ state }) => state !== 'expired').map(({ id }) => id)).toContain(heard?.id)
          if (heard !== null) await holds(heard)
        },
      }
    }

  it('a candidate that is sent again is kept once', { timeout: 120_000 }, async () => {
    const statements = await atEachStatement(
      moment,
      sending({}, async ({ id }) => {
        expect((await of.list()).items).toHaveLength(1)
        expect([await of.textOf(id), await of.stored()]).toEqual(['{"a":2}', 14])
        expect((await of.events()).map(({ type }) => type)).toEqual(['check.broke'])
      }),
    )
    expect(statements).toBeGreaterThan(6)
  })

  it('an accepted candidate that is sent again is one version', { timeout: 120_000 }, async () => {
    const statements = await atEachStatement(
      moment,
      sending({ judgement: { verdict: 'same' } }, async ({ id, version }) => {
        expect([version, (await of.current()).version, await of.textOf(id)]).toEqual([2, 2, '{"a":2}'])
        expect((await of.list()).items).toHaveLength(1)
      }),
    )
    expect(statements).toBeGreaterThan(6)
  })

  it.each([
    ['an approval', true, 2],
    ['a rejection', false, 1],
  ])('%s happens once', { timeout: 120_000 }, async (_what, approve, version) => {
    const statements = await atEachStatement(moment, async () => {
      const { id } = await of.send({
        data: await documentData(fixture, ann, '[1]'),
        judgement: { breaks: oneBreak },
      })
      return {
        act: () => decide(fragile, id, approve),
        again: () =>
          decide(fixture.ports.checks, id, approve).catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'check_decided' }),
          ),
        holds: async () => {
          expect(await of.find(id)).toMatchObject({ state: approve ? 'approved' : 'rejected', note: 'n' })
          expect((await of.current()).version).toBe(version)
          expect((await of.events()).map(({ type }) => type).toSorted()).toEqual(
            ['check.broke', approve ? 'check.approved' : 'check.rejected'].toSorted(),
          )
        },
      }
    })
    expect(statements).toBeGreaterThan(5)
  })

  it('the approval of a new name creates one snippet', { timeout: 120_000 }, async () => {
    await atEachStatement(moment, async () => {
      const { id } = await of.sendNew('totals')
      return {
        act: () => decide(fragile, id, true),
        again: () =>
          decide(fixture.ports.checks, id, true).catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'check_decided' }),
          ),
        holds: async () => {
          const [created] = await fixture.ports.snippets.findIds([{ ownerId: ann, name: 'totals' }])
          expect(await of.find(id)).toMatchObject({ state: 'approved', snippetId: created, version: 1 })
          expect([await fixture.ports.snippets.count(ann), await of.stored()]).toEqual([2, 14])
        },
      }
    })
  })
})

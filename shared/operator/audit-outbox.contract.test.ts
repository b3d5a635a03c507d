import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Migration } from '#libs/postgres/migrate.js'
import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { createMigratedSchema, type MigratedSchema } from '#libs/testing/migrated-schema.js'
import { type AuditEntryDraft, decidedAtTerminal } from '../core/audit-entry.js'
import {
  createErasureLedger,
  eraseFromAuditEntries,
  letActsBeErased,
  noteErased,
} from '../erasure/erasure-ledger.js'
import { memoryAuditLog } from '../testing/memory-audit-log.js'
import { createAuditOutbox, postgresAuditOutbox } from './audit-outbox.js'
import { createOperatorActs, recordEntry } from './audit-table.js'

/** A service as the previous release left it, and what this one adds. */
const migrations: readonly Migration[] = [
  {
    name: '0001-acts',
    async up(db) {
      await db.raw(`${createOperatorActs}; ${createErasureLedger} ${letActsBeErased}`)
      await db.raw(`
        INSERT INTO operator_act (id, action, operator_id, operator_name, subject_kind, subject_id, account_id, reason,
          message, detail, created_at)
        SELECT 'old' || n, 'share.disabled', 'op', '', 'share', 's', 'ann', 'spam', '', '{"n":1}', '2020-01-01Z'
        FROM generate_series(1, 3) AS n`)
    },
  },
  { name: '0002-outbox', up: (db) => db.raw(createAuditOutbox) },
]

let schema: MigratedSchema
let pool: Pool

beforeAll(async () => {
  schema = await createMigratedSchema('audit_outbox', migrations)
  pool = schema.openPool()
})
afterAll(() => schema?.close())

const draft = (accountId = 'ann', n = 0): AuditEntryDraft => ({
  action: 'share.enabled',
  subject: { kind: 'account', id: accountId },
  accountId,
  detail: { n },
})
const why = { ...decidedAtTerminal('a test'), message: 'Sorry.' }

/** What a process of each release does. */
const record = (table: 'operator_act' | 'audit_delivery', entry = draft()): Promise<string> =>
  transaction(pool, (tx) => recordEntry(tx, table, entry, why))

it('what the previous release recorded before the upgrade is delivered', async () => {
  const found = await postgresAuditOutbox(pool).claim(100, 0)
  expect(found.map(({ id }) => id).toSorted()).toEqual(['old1', 'old2', 'old3'])
  expect(found[0]).toMatchObject({ action: 'share.disabled', accountId: 'ann', detail: { n: 1 } })
  expect(found[0]?.createdAt).toEqual(new Date('2020-01-01'))
})

it('the backlog counts as waiting since the upgrade, not since it was recorded', async () => {
  const text = "SELECT FROM audit_delivery WHERE audit_delivery.queued_at < '2021-01-01Z'"
  expect((await query(pool, { text })).rowCount).toBe(0)
})

const emptied = () => schema.asOwner('TRUNCATE audit_delivery, erasure_ledger')

it('what a process of the previous release records beside this one is delivered, too', async () => {
  await emptied()
  const ids = [await record('operator_act'), await record('audit_delivery')]
  const found = await postgresAuditOutbox(pool).claim(100, 0)
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  for (const entry of found)
    expect(entry).toMatchObject({ ...draft(), operatorId: 'terminal', reason: 'a test', message: 'Sorry.' })
})

it('what the previous release recorded can be neither changed nor deleted, by any statement', async () => {
  const all = () => query(pool, { text: 'SELECT * FROM operator_act ORDER BY operator_act.id' })
  const before = (await all()).rows
  expect(before.length).toBeGreaterThan(2)
  for (const text of [
    "UPDATE operator_act SET reason = 'another'",
    'UPDATE operator_act SET reason = reason WHERE false',
    'DELETE FROM operator_act',
    'WITH gone AS (DELETE FROM operator_act RETURNING id) SELECT * FROM gone',
    "INSERT INTO operator_act SELECT * FROM operator_act ON CONFLICT (id) DO UPDATE SET reason = 'another'",
  ])
    await expect(query(pool, { text }), text).rejects.toThrow('recorded acts cannot be changed')
  await expect(query(pool, { text: 'TRUNCATE operator_act' })).rejects.toThrow()
  expect((await all()).rows).toEqual(before)
})

it('an entry is rolled back with the change that it records', async () => {
  await emptied()
  const failing = transaction(pool, async (tx) => {
    await recordEntry(tx, 'audit_delivery', draft(), why)
    throw new Error('no change')
  })
  await expect(failing).rejects.toThrow('no change')
  expect(await postgresAuditOutbox(pool).claim(100, 0)).toEqual([])
})

it.each([
  ['the previous release', ['operator_act']],
  ['this release', ['operator_act', 'audit_delivery']],
] as const)(
  'an account that %s erases is a digest in what is still to be delivered',
  async (_name, tables) => {
    await emptied()
    await record('operator_act', draft('erased'))
    if (tables.length > 1) await record('audit_delivery', draft('erased'))
    await record('audit_delivery', draft('bob'))
    await transaction(pool, async (tx) => {
      await noteErased(tx, 'erased')
      await eraseFromAuditEntries(tx, 'erased', tables)
    })
    const found = await postgresAuditOutbox(pool).claim(100, 0)
    const erased = found.filter(({ accountId }) => accountId !== 'bob')
    expect(erased).toHaveLength(tables.length)
    for (const { accountId, ...entry } of erased) {
      expect(accountId).toMatch(/^[0-9a-f]{64}$/)
      expect(entry).toMatchObject({ subject: { kind: 'account', id: accountId }, message: '', detail: {} })
    }
    expect(found.find(({ accountId }) => accountId === 'bob')).toMatchObject(draft('bob'))
  },
)

it('100 entries are each in the log once although workers die before and after delivering them', async () => {
  await emptied()
  const leaseMs = 60
  const log = memoryAuditLog(() => new Date())
  let turn = 0
  let arrivals = 0
  let left = true
  const worker = async (): Promise<void> => {
    const outbox = postgresAuditOutbox(schema.openPool({ connectionsMax: 1 }))
    for (let idle = 0; left || idle < 3; ) {
      const entries = await outbox.claim(8, leaseMs)
      idle = entries.length === 0 ? idle + 1 : 0
      if (entries.length === 0) await sleep(leaseMs)
      for (const entry of entries) {
        turn += 1
        // Dies before the call, dies after it, or succeeds.
        if (turn % 5 === 0) break
        log.add(entry)
        arrivals += 1
        if (turn % 5 === 1) break
        await outbox.finish(entry)
      }
    }
  }
  const workers = Array.from({ length: 4 }, () => worker())
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_none, n) => record('audit_delivery', draft('ann', n))),
  )
  const waiting = async () => (await query(pool, { text: 'SELECT FROM audit_delivery' })).rowCount
  await expect.poll(waiting, { timeout: 60_000, interval: 50 }).toBe(0)
  left = false
  await Promise.all(workers)
  const { items } = log.list({ accountId: null, subjectId: null, after: null, itemsMax: 1_000 })
  expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(arrivals).toBeGreaterThan(ids.length)
})

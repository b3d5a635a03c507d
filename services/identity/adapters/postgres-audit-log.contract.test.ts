import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablesWith } from '#libs/testing/tables-with.js'
import type { AuditEntry } from '#shared/core/audit-entry.js'
import { eraseAccounts } from '../application/close-account.js'
import { newIdentity } from '../domain/account.js'
import { dataServices } from '../domain/account-step.js'
import { openPostgresIdentity, type PostgresIdentity } from '../testing/postgres-identity.js'
import { postgresAccountStore } from './postgres-account-store.js'
import { postgresAuditLog } from './postgres-audit-log.js'
import { postgresErasureStore } from './postgres-erasure-store.js'
import { randomIds } from './random-identity-ids.js'

let identity: PostgresIdentity

beforeAll(async () => {
  identity = await openPostgresIdentity('audit_log')
})
afterAll(() => identity?.close())

function entryOf(accountId: string): AuditEntry {
  return {
    id: randomIds.account(),
    action: 'share.disabled',
    operatorId: 'op',
    operatorName: '',
    subject: { kind: 'share', id: 'a-share' },
    ...{ accountId, reason: 'spam', message: 'Sorry.', detail: {}, createdAt: new Date() },
  }
}

it('an audit entry can be neither changed nor deleted, by any statement', async () => {
  const { pool } = identity
  const log = postgresAuditLog(pool)
  const entry = entryOf('someone')
  await log.record(entry)
  for (const statement of [
    "UPDATE operator_act SET reason = 'another'",
    'UPDATE operator_act SET reason = reason WHERE false',
    'DELETE FROM operator_act',
    'WITH gone AS (DELETE FROM operator_act RETURNING id) SELECT * FROM gone',
    "INSERT INTO operator_act SELECT * FROM operator_act ON CONFLICT (id) DO UPDATE SET reason = 'another'",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow('recorded acts cannot be changed')
  await expect(pool.query('TRUNCATE operator_act')).rejects.toThrow()
  const found = await log.list({ accountId: 'someone', subjectId: null, after: null, itemsMax: 10 })
  expect(found.items).toEqual([entry])
})

it('an audit entry can be changed in no other way than by an erasure', async () => {
  const { pool } = identity
  await postgresAuditLog(pool).record(entryOf('someone'))
  for (const change of [
    `UPDATE operator_act SET reason = 'none'`,
    `UPDATE operator_act SET detail = '{"a":1}'`,
    `UPDATE operator_act SET account_id = encode(sha256(convert_to(account_id, 'UTF8')), 'hex')`,
    'DELETE FROM operator_act',
    'TRUNCATE operator_act',
  ])
    await expect(pool.query(`SET snipkeep.erasing = 'on'; ${change}`), change).rejects.toThrow()
})

it('entries that arrive at the moment of an erasure leave nothing of the account behind', async () => {
  const { pool, passTime } = identity
  const log = postgresAuditLog(pool)
  const erasures = postgresErasureStore(pool, dataServices)
  for (let round = 0; round < 20; round += 1) {
    const person = newIdentity('https://issuer.example', `racer-${round}`)
    const profile = { email: null, emailVerified: false, name: null, picture: null }
    const { id } = await postgresAccountStore(pool).upsert(randomIds.account(), person, profile, null)
    await erasures.close(id, 0)
    await passTime(1_000)
    await eraseAccounts({ erasures })
    for (const service of dataServices)
      for (const step of await erasures.claim(service, 10, 60_000)) await erasures.finish(step)
    const arriving = Array.from({ length: 6 }, () => log.record(entryOf(id)))
    const erasing = (async () => {
      while ((await eraseAccounts({ erasures })) === 0);
    })()
    await Promise.all([...arriving, erasing])
    expect(await tablesWith(pool, [id]), `round ${round}`).toEqual([])
  }
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablesWith } from '#libs/testing/tables-with.js'
import { eraseAccounts } from '../application/close-account.js'
import { newIdentity } from '../domain/account.js'
import { dataServices } from '../domain/account-step.js'
import { openPostgresIdentity, type PostgresIdentity } from '../testing/postgres-identity.js'
import { postgresAccountStore } from './postgres-account-store.js'
import { postgresApiKeyStore } from './postgres-api-key-store.js'
import { postgresAuditLog } from './postgres-audit-log.js'
import { postgresErasureStore } from './postgres-erasure-store.js'
import { postgresOperatorAccounts } from './postgres-operator-accounts.js'
import { randomIds } from './random-identity-ids.js'

let identity: PostgresIdentity

beforeAll(async () => {
  identity = await openPostgresIdentity('identity_erasure')
})
afterAll(() => identity?.close())

it('of an erased account only its digest is in any table, also where it was an operator', async () => {
  const { pool, passTime } = identity
  const erasures = postgresErasureStore(pool, dataServices)
  const operator = postgresOperatorAccounts(pool)
  const marker = 'planted-marker'
  const person = newIdentity('https://issuer.example', marker)
  const profile = { email: `${marker}@example.com`, emailVerified: true, name: marker, picture: null }
  const { id } = await postgresAccountStore(pool).upsert(randomIds.account(), person, profile, null)
  const digest = { digest: '61'.repeat(32), pepperVersion: 1 }
  const shown = { name: marker, prefix: 'snk_AbCd', last4: 'wxyz', expiresInSeconds: null, digest }
  const key = { ...shown, id: randomIds.apiKey(), accountId: id, scopes: ['read'] as const }
  await postgresApiKeyStore(pool).add(key, () => null, null)
  const decision = {
    operatorId: id,
    operatorName: marker,
    reason: 'a test',
    message: marker,
    shownAs: marker,
  }
  await operator.suspend(id, decision)
  expect(await tablesWith(pool, [id, marker])).toEqual(
    expect.arrayContaining(['account', 'api_key', 'event', 'operator_act']),
  )
  await erasures.close(id, 0)
  await passTime(1_000)
  await eraseAccounts({ erasures })
  for (const service of dataServices)
    for (const step of await erasures.claim(service, 10, 60_000)) await erasures.finish(step)
  expect(await eraseAccounts({ erasures })).toBe(1)
  expect(await tablesWith(pool, [id, marker])).toEqual([])
  const receipts = await pool.query<{ service: string }>(
    `SELECT erasure_receipt.service FROM erasure_receipt
     WHERE erasure_receipt.account_digest = sha256(convert_to($1, 'UTF8')) ORDER BY 1`,
    [id],
  )
  expect(receipts.rows.map(({ service }) => service)).toEqual(['activity', 'billing', 'content', 'identity'])
  const entries = await postgresAuditLog(pool).list({
    accountId: null,
    subjectId: null,
    after: null,
    itemsMax: 10,
  })
  expect(entries.items).toMatchObject([
    { action: 'account.suspended', reason: 'a test', message: '', operatorName: '' },
  ])
})

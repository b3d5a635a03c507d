import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareId } from '../domain/ids.js'
import { shareDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('operator_acts')
})
afterAll(() => fixture?.close())

it('a recorded act can be neither changed nor deleted, by any statement', async () => {
  const { ports, pool } = fixture
  const { id } = await ports.shares.add(shareDraft(fixture), () => null, null)
  const decision = { operatorId: 'op', operatorName: '', reason: 'spam', message: '', shownAs: null }
  await ports.moderation.setDisabled(shareId(id), true, decision)
  const filter = { accountId: null, subjectId: id, after: null, itemsMax: 10 }
  const before = await ports.moderation.acts(filter)
  expect(before.items).toHaveLength(1)
  for (const statement of [
    "UPDATE operator_act SET reason = 'another'",
    'UPDATE operator_act SET reason = reason WHERE false',
    'DELETE FROM operator_act',
    'WITH gone AS (DELETE FROM operator_act RETURNING id) SELECT * FROM gone',
    "INSERT INTO operator_act SELECT * FROM operator_act ON CONFLICT (id) DO UPDATE SET reason = 'another'",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow('recorded acts cannot be changed')
  await expect(pool.query('TRUNCATE operator_act')).rejects.toThrow()
  expect(await ports.moderation.acts(filter)).toEqual(before)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { metrics } from '#libs/telemetry/catalogue.js'
import { shareDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { observeOutbox } from './postgres-event-outbox.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_outbox_age')
})
afterAll(() => fixture?.close())

it('each outbox is reported with its depth and the age of the oldest, until they are delivered', async () => {
  const { shares, outbox, moderation, auditOutbox } = fixture.ports
  let now = 0
  observeOutbox(fixture.pool, () => now)
  const read = async () => {
    now += 2_000
    const all = [...(await metrics.queueDepth.collect()), ...(await metrics.queueOldestAge.collect())]
    return all.map(({ labels, value }) => [labels.queue, Math.round(value)])
  }
  expect(await read()).toEqual([
    ['event_deliveries', 0],
    ['audit_entries', 0],
    ['event_deliveries', 0],
    ['audit_entries', 0],
  ])
  for (let n = 0; n < 3; n += 1) await shares.add(shareDraft(fixture), () => null, null)
  await fixture.pool.query("UPDATE event_delivery SET queued_at = now() - interval '5 minutes'")
  const { id } = await shares.add(shareDraft(fixture), () => null, null)
  const decision = { operatorId: 'op', operatorName: '', reason: 'spam', message: '', shownAs: null }
  await moderation.setDisabled(id, true, decision)
  await fixture.pool.query("UPDATE audit_delivery SET queued_at = now() - interval '2 minutes'")
  const claimed = await outbox.claim(2, 15_000)
  expect(await read()).toEqual([
    ['event_deliveries', 5],
    ['audit_entries', 1],
    ['event_deliveries', 300],
    ['audit_entries', 120],
  ])
  await outbox.finish([...claimed, ...(await outbox.claim(3, 15_000))])
  for (const entry of await auditOutbox.claim(1, 15_000)) await auditOutbox.finish(entry)
  expect(await read()).toEqual([
    ['event_deliveries', 0],
    ['audit_entries', 0],
    ['event_deliveries', 0],
    ['audit_entries', 0],
  ])
})

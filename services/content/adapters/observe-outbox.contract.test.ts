import { afterAll, beforeAll, expect, it } from 'vitest'
import { metrics } from '#libs/telemetry/catalogue.js'
import { shareDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { observeOutbox } from './observe-outbox.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_outbox_age')
})
afterAll(() => fixture?.close())

it('the queue of events is reported with its depth and the age of the oldest, until they are delivered', async () => {
  const { shares, outbox } = fixture.ports
  let now = 0
  observeOutbox(fixture.pool, () => now)
  const read = async () => {
    now += 2_000
    const all = [...(await metrics.queueDepth.collect()), ...(await metrics.queueOldestAge.collect())]
    return all.map(({ labels, value }) => [labels.queue, Math.round(value)])
  }
  expect(await read()).toEqual([
    ['event_deliveries', 0],
    ['event_deliveries', 0],
  ])
  for (let n = 0; n < 3; n += 1) await shares.add(shareDraft(fixture), () => null, null)
  await fixture.pool.query("UPDATE event_delivery SET queued_at = now() - interval '5 minutes'")
  await shares.add(shareDraft(fixture), () => null, null)
  const claimed = await outbox.claim(2, 15_000)
  expect(await read()).toEqual([
    ['event_deliveries', 4],
    ['event_deliveries', 300],
  ])
  await outbox.finish([...claimed, ...(await outbox.claim(2, 15_000))])
  expect(await read()).toEqual([
    ['event_deliveries', 0],
    ['event_deliveries', 0],
  ])
})

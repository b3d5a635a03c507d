import { afterAll, beforeAll, expect, it } from 'vitest'
import { metrics } from '#libs/telemetry/catalogue.js'
import { createMigratedSchema, type MigratedSchema } from '#libs/testing/migrated-schema.js'
import { migrations } from '../migrate.js'
import { observeBillingQueues } from './postgres-billing-oversight.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('queues', migrations)
})
afterAll(() => schema.close())

it('each queue is reported with its depth and the age of its oldest item, without finished work', async () => {
  const pool = schema.openPool()
  let now = 0
  observeBillingQueues(pool, () => now)
  const read = async () => {
    now += 2_000
    const all = [...(await metrics.queueDepth.collect()), ...(await metrics.queueOldestAge.collect())]
    return all.map(({ labels, value }) => [labels.queue, Math.round(value)])
  }
  expect(await read()).toEqual([
    ['plan_deliveries', 0],
    ['provider_events', 0],
    ['audit_entries', 0],
    ['plan_deliveries', 0],
    ['provider_events', 0],
    ['audit_entries', 0],
  ])
  await pool.query(`
    INSERT INTO plan_delivery (account_id, receiver, version, plan, created_at)
      SELECT 'a', 'content', version, 'pro', now() - version * interval '1 minute' FROM generate_series(1, 3) AS version;
    INSERT INTO provider_event (id, type, mode_matches, received_at, due_at, finished_at) VALUES
      ('evt_1', 'x', true, now() - interval '5 minutes', now(), NULL),
      ('evt_2', 'x', true, now() - interval '9 minutes', NULL, now())`)
  expect(await read()).toEqual([
    ['plan_deliveries', 3],
    ['provider_events', 1],
    ['audit_entries', 0],
    ['plan_deliveries', 180],
    ['provider_events', 300],
    ['audit_entries', 0],
  ])
})

it('without a database the queues are left out, and nothing fails', async () => {
  const pool = schema.openPool({ url: 'postgres://127.0.0.1:1/none' })
  observeBillingQueues(pool, () => 0)
  // Only those of the pool above.
  expect(await metrics.queueDepth.collect()).toHaveLength(3)
})

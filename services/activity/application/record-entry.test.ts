import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import type { VersionedPlan } from '../ports.js'
import { ann, bob, entryFilter } from '../testing/activity-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { type RecordResult, recordEntry } from './record-entry.js'

const limits = { ...testPlanLimits, dataBytes: 1, history: 3 }
const plans: PlanCatalogue = { free: limits, pro: { ...limits, history: null } }
const free: VersionedPlan = { plan: 'free', version: 1 }
const csv = { ownerId: ann, tool: 'csv', action: 'convert', title: 'Team', metadata: '{"a": 1.0}' }

let fixture: ReturnType<typeof memoryFixture>
beforeEach(() => {
  fixture = memoryFixture()
})

const record = (fields: Partial<typeof csv> = {}, key: string | null = null, plan = free) =>
  recordEntry(fixture.ports, plans, { ...csv, ...fields }, plan, key)
const idOf = async (recorded: Promise<RecordResult>) => (await recorded).entry.id

describe('recording an entry', () => {
  it('stores its fields with a new id and a time', async () => {
    const { entry, replayed } = await record()
    expect(replayed).toBe(false)
    expect(entry).toEqual({
      ...csv,
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      createdAt: expect.any(Date),
    })
    expect(await idOf(record())).not.toBe(entry.id)
  })

  it('is rejected with all its errors, and stores nothing', async () => {
    const bad = record({ tool: '', title: '' }, 'k')
    await expect(bad).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{}, {}] } })
    expect(await fixture.history.count(ann)).toBe(0)
    expect((await record({}, 'k')).replayed).toBe(false)
  })

  it('keeps the newest that the plan allows', async () => {
    const recorded: string[] = []
    for (let n = 0; n < 5; n += 1) recorded.unshift(await idOf(record()))
    const { items } = await fixture.history.list(entryFilter())
    expect(items.map(({ id }) => id)).toEqual(recorded.slice(0, 3))
  })

  it('keeps everything for an owner known to have Pro, even if the call has an older plan', async () => {
    for (let n = 0; n < 5; n += 1) await record({}, null, { plan: 'pro', version: 2 })
    await record()
    expect(await fixture.history.count(ann)).toBe(6)
  })
})

describe('recording with an idempotency key', () => {
  it('replays the first response, even after the entry was deleted', async () => {
    const { entry } = await record({}, 'k')
    await fixture.history.removeAll(ann, null)
    expect(await record({}, 'k')).toEqual({ entry, replayed: true })
    expect(await fixture.history.count(ann)).toBe(0)
  })

  it('rejects the key for any other request', async () => {
    await record({}, 'k')
    for (const other of [{ tool: 'json' }, { action: 'sort' }, { title: 'X' }, { metadata: '{"a":1.0}' }]) {
      await expect(record(other, 'k')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    }
    expect(await fixture.history.count(ann)).toBe(1)
  })

  it('remembers the key for a day, and only for its owner', async () => {
    const first = await idOf(record({}, 'k'))
    expect(await idOf(record({ ownerId: bob }, 'k'))).not.toBe(first)
    await fixture.passTime(idempotencyKeyLifeMs - 1)
    expect(await idOf(record({}, 'k'))).toBe(first)
    await fixture.passTime(1)
    expect(await idOf(record({ title: 'X' }, 'k'))).not.toBe(first)
  })
})

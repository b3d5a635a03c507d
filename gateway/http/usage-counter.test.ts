import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createUsageCounter, type UsageBatch, type UsageCounter } from './usage-counter.js'

const noLog = { warn: () => {} }

interface Fixture {
  readonly counter: UsageCounter
  /** Batches that were applied, each once, as identity does. */
  readonly applied: Map<string, UsageBatch>
  deliveries: number
  /** Batches are applied, but their sender gets an error. */
  losesResponses: boolean
  isDown: boolean
  time: Date
}

function fixture(intervalMs = 5): Fixture {
  let named = 0
  const applied = new Map<string, UsageBatch>()
  const made: Fixture = {
    applied,
    deliveries: 0,
    losesResponses: false,
    isDown: false,
    time: new Date('2030-01-01T23:59:59.000Z'),
    counter: createUsageCounter({
      async deliver(batch) {
        made.deliveries += 1
        if (made.isDown) throw new Error('down')
        applied.set(batch.batchId, batch)
        if (made.losesResponses) throw new Error('the response was lost')
      },
      now: () => made.time,
      newBatchId: () => `batch ${++named}`,
      log: noLog,
      intervalMs,
    }),
  }
  return made
}

function totals({ applied }: Fixture): Record<string, [number, number]> {
  const sums: Record<string, [number, number]> = {}
  for (const { usage } of applied.values()) {
    for (const { apiKeyId, date, requests, errors } of usage) {
      const [r, e] = sums[`${apiKeyId} ${date}`] ?? [0, 0]
      sums[`${apiKeyId} ${date}`] = [r + requests, e + errors]
    }
  }
  return sums
}

describe('the counter of requests made with API keys', () => {
  afterEach(() => void vi.useRealTimers())

  it('counts by key and UTC day, and flushes when it stops', async () => {
    const given = fixture(60_000)
    given.counter.count({ id: 'a', secret: 1 }, false)
    given.counter.count({ id: 'a', secret: 1 }, true)
    given.counter.count({ id: 'b', secret: 1 }, false)
    given.time = new Date('2030-01-02T00:00:00.000Z')
    given.counter.count({ id: 'a', secret: 1 }, false)
    await given.counter.stop()
    expect(totals(given)).toEqual({ 'a 2030-01-01': [2, 1], 'b 2030-01-01': [1, 0], 'a 2030-01-02': [1, 0] })
    const [batch] = given.applied.values()
    expect(batch?.usage.at(-1)?.lastUsedAt).toEqual(given.time)
  })

  it('flushes periodically, and sends nothing when nothing was used', async () => {
    vi.useFakeTimers()
    const given = fixture()
    await vi.advanceTimersByTimeAsync(30)
    expect(given.deliveries).toBe(0)
    given.counter.count({ id: 'a', secret: 1 }, false)
    await vi.advanceTimersByTimeAsync(5)
    expect(totals(given)).toEqual({ 'a 2030-01-01': [1, 0] })
    await given.counter.stop()
  })

  it('loses and repeats nothing while identity is down or its responses are lost', async () => {
    const given = fixture()
    let counted = 0
    for (let round = 0; round < 60; round += 1) {
      given.isDown = round % 20 < 8
      given.losesResponses = round % 7 < 4
      for (let n = 0; n < 25; n += 1) given.counter.count({ id: `key ${n % 3}`, secret: 1 }, false)
      counted += 25
      await sleep(3)
    }
    given.isDown = false
    given.losesResponses = false
    await given.counter.stop()
    const sum = Object.values(totals(given)).reduce((total, [requests]) => total + requests, 0)
    expect(sum).toBe(counted)
  })

  it('splits what exceeds one message', async () => {
    const given = fixture(60_000)
    for (let n = 0; n < 12_000; n += 1) given.counter.count({ id: `key ${n}`, secret: 1 }, false)
    await given.counter.stop()
    expect([...given.applied.values()].map(({ usage }) => usage.length)).toEqual([5_000, 5_000, 2_000])
  })

  it('gives up after a few attempts when it must stop and identity is down', async () => {
    const given = fixture(60_000)
    given.isDown = true
    given.counter.count({ id: 'a', secret: 1 }, false)
    await given.counter.stop()
    expect(given.deliveries).toBe(3)
  })
})

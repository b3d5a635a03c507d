import { describe, expect, it } from 'vitest'
import { manualClock } from '../testing/manual-clock.js'
import { holder } from '../testing/plain-job.js'
import { createJobSlots } from './job-slots.js'

const { signal } = new AbortController()
const heldMs = 10_000

function setUp() {
  const clock = manualClock()
  const slots = createJobSlots(clock)
  const take = (id: string, plan: 'free' | 'pro' = 'free', lane: 'small' | 'large' = 'small') =>
    slots.take(lane, holder(id, plan), heldMs, signal)
  return { clock, slots, take }
}

/** Lets promises that have settled go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the slots of jobs', () => {
  it('keep one that Free cannot take', async () => {
    const { slots, take } = setUp()
    await take('a', 'free', 'large')
    const waiting = take('b', 'free', 'large')
    await take('pro', 'pro', 'large')
    expect(slots.counts().large).toEqual({ running: 2, waiting: 1 })
    waiting.catch(() => {})
  })

  it('let small jobs run beside large ones', async () => {
    const { take } = setUp()
    await take('a', 'free', 'large')
    await expect(take('b')).resolves.toBeDefined()
  })

  it('let an account wait with one job only', async () => {
    const { take } = setUp()
    await take('a')
    const waiting = take('a')
    await expect(take('a')).rejects.toMatchObject({ code: 'rate_limited' })
    waiting.catch(() => {})
  })

  it('go to who has used least of late', async () => {
    const { clock, take } = setUp()
    const [busy, other] = [await take('busy'), await take('other')]
    const order: string[] = []
    clock.forward(5_000)
    const again = take('busy').then(() => order.push('busy'))
    const fresh = take('fresh').then((slot) => {
      order.push('fresh')
      slot.release()
    })
    busy.release()
    await Promise.all([fresh, again])
    expect(order).toEqual(['fresh', 'busy'])
    other.release()
  })

  it('are refused when none becomes free in time', async () => {
    const { clock, slots, take } = setUp()
    await Promise.all([take('a', 'pro'), take('b', 'pro'), take('c', 'pro')])
    const late = take('d', 'pro')
    const refused = expect(late).rejects.toMatchObject({ code: 'unavailable' })
    await settle()
    clock.forward(10_000)
    await refused
    expect(slots.counts().small).toEqual({ running: 3, waiting: 0 })
  })

  it('are taken back after a while only if others wait', async () => {
    const { clock, take } = setUp()
    const [first, second] = [await take('a'), await take('b')]
    clock.forward(60_000)
    expect(first.signal.aborted).toBe(false)
    const next = take('c')
    expect(first.signal.reason).toMatchObject({ code: 'unavailable' })
    expect(second.signal.aborted).toBe(false)
    first.release()
    await expect(next).resolves.toBeDefined()
  })

  it('are given back once, however often they are released', async () => {
    const { slots, take } = setUp()
    const slot = await take('a')
    slot.release()
    slot.release()
    expect(slots.counts().small.running).toBe(0)
  })

  it('are not waited for by who has gone', async () => {
    const { slots, take } = setUp()
    await Promise.all([take('a'), take('b')])
    const leaving = new AbortController()
    const waiting = slots.take('small', holder('c'), heldMs, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(slots.counts().small.waiting).toBe(0)
  })
})

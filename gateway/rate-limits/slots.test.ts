import { describe, expect, it } from 'vitest'
import { RequestAborted } from '../request/request-context.js'
import type { DocumentReader } from './rate-limits.js'
import { createSlots } from './slots.js'

const stranger = (index: number): DocumentReader => ({ subject: `198.51.100.${index}`, anonymous: true })
const owner = (index: number): DocumentReader => ({ subject: `account ${index}`, anonymous: false })
const busy = {
  activity: 'reading',
  max: 10,
  anonymousMax: 6,
  perReaderMax: 2,
  waitMs: 0,
  waitersMax: 0,
  waitersPerReaderMax: 0,
}

describe('slots', () => {
  it('are never all held by anonymous readers, however many addresses they have', async () => {
    const slots = createSlots(busy)
    const taken = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => slots.take(stranger(index), undefined)),
    )
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(taken[6]).toMatchObject({ reason: { code: 'unavailable', details: { retry_after: 1 } } })
    for (let index = 0; index < 4; index++) await slots.take(owner(index), undefined)
    await expect(slots.take(owner(9), undefined)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('are limited for each reader, who gets a clear error', async () => {
    const slots = createSlots(busy)
    for (const reader of [stranger(1), owner(1)]) {
      const release = await slots.take(reader, undefined)
      await slots.take(reader, undefined)
      const refused = { code: 'rate_limited', details: { limit: 2, retry_after: 1 } }
      await expect(slots.take(reader, undefined)).rejects.toMatchObject(refused)
      release()
      // Releasing a slot twice frees only one.
      release()
      await slots.take(reader, undefined)
      await expect(slots.take(reader, undefined)).rejects.toMatchObject(refused)
    }
  })

  const patient = { ...busy, max: 2, anonymousMax: 1, perReaderMax: 1, waitMs: 60_000, waitersMax: 3 }
  const waiting = { ...patient, waitersPerReaderMax: 2 }

  it('are granted in order, owners before anonymous readers, to a bounded queue', async () => {
    const slots = createSlots(waiting)
    const order: string[] = []
    const first = await slots.take(owner(1), undefined)
    const second = await slots.take(stranger(1), undefined)
    const later = [stranger(2), owner(2), owner(3)].map(async (reader) => {
      const release = await slots.take(reader, undefined)
      order.push(reader.subject)
      release()
    })
    await expect(slots.take(owner(4), undefined)).rejects.toMatchObject({ code: 'unavailable' })
    second()
    await Promise.all(later)
    first()
    expect(order).toEqual(['account 2', 'account 3', '198.51.100.2'])
  })

  it('are waited for no longer than allowed, and not by disconnected readers', async () => {
    const slots = createSlots({ ...waiting, waitMs: 20 })
    const gone = new AbortController()
    const release = await slots.take(stranger(1), undefined)
    const waited = slots.take(stranger(2), undefined)
    const left = slots.take(stranger(3), gone.signal)
    gone.abort()
    await expect(left).rejects.toBeInstanceOf(RequestAborted)
    await expect(waited).rejects.toMatchObject({ code: 'unavailable' })
    release()
    ;(await slots.take(stranger(4), undefined))()
    await expect(slots.take(stranger(4), gone.signal)).rejects.toBeInstanceOf(RequestAborted)
  })
})

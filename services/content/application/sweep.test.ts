import { beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import type { DocumentStore } from '../document-ports.js'
import { checkedSnippet } from '../testing/checked-snippet.js'
import { ann, type ContentFixture, documentData } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { purgeExpired, sweep } from './sweep.js'

const never = new AbortController().signal
const hour = 3_600_000

let fixture: ContentFixture
beforeEach(() => {
  fixture = memoryFixture()
})

describe('the purge', () => {
  it('drops what nobody decided in thirty days, whose documents the sweep removes, and forgets it after a year', async () => {
    const of = await checkedSnippet(fixture)
    const small = await of.send()
    const large = await of.send({ data: await documentData(fixture, ann, '[1]') })
    await fixture.passTime(30 * 24 * hour)
    expect(await fixture.documentsWithBytes()).toBe(1)
    await purgeExpired(fixture.ports, never)
    await fixture.passTime(2 * hour)
    await sweep(fixture.ports, hour, never)
    expect([await fixture.documentsWithBytes(), await of.stored()]).toEqual([0, 7])
    for (const { id } of [small, large]) expect(await of.find(id)).toMatchObject({ state: 'expired' })
    await fixture.passTime(335 * 24 * hour)
    await purgeExpired(fixture.ports, never)
    expect((await of.list()).items).toEqual([])
  })
})

describe('the sweep', () => {
  it('removes orphaned documents, bytes first, and completes what a crash left half-done', async () => {
    const { registry, documents } = fixture.ports
    const data = await documentData(fixture, ann)
    await fixture.passTime(2 * hour)
    const crash = { ...registry, forget: () => Promise.reject(new Error('killed')) }
    await expect(sweep({ ...fixture.ports, registry: crash }, hour, never)).rejects.toThrow('killed')
    expect(await fixture.documentsWithBytes()).toBe(0)
    await fixture.passTime(2 * hour)
    expect(await sweep({ ...fixture.ports, documents }, hour, never)).toEqual({ documents: 1, keys: 0 })
    expect(await registry.find(data.id)).toBeNull()
  })

  it('removes any number of documents, but none within its grace period', async () => {
    for (let n = 0; n < 120; n += 1) await documentData(fixture, ann)
    expect((await sweep(fixture.ports, hour, never)).documents).toBe(0)
    await fixture.passTime(hour + 1)
    expect((await sweep(fixture.ports, hour, never)).documents).toBe(120)
  })

  it('removes the other documents and expired keys when some removals fail, and reports the first failure', async () => {
    const { documents } = fixture.ports
    const stuck = new Set<string>()
    for (let n = 0; n < 120; n += 1) {
      const { id } = await documentData(fixture, ann)
      if (n < 40) stuck.add(id)
    }
    const failing: DocumentStore = {
      ...documents,
      async remove(ids) {
        if (ids.some((id) => stuck.has(id))) throw new Error(`too large: ${ids.join()}`)
        await documents.remove(ids)
      },
    }
    let asked = 0
    const idempotency = {
      ...fixture.ports.idempotency,
      async deleteExpired() {
        asked += 1
        return 0
      },
    }
    await fixture.passTime(hour + 1)
    const [first] = stuck
    const ports = { ...fixture.ports, documents: failing, idempotency }
    await expect(sweep(ports, hour, never)).rejects.toThrow(`too large: ${first}`)
    expect([await fixture.documentsWithBytes(), asked]).toEqual([40, 1])
    stuck.clear()
    await fixture.passTime(hour + 1)
    expect((await sweep(ports, hour, never)).documents).toBe(40)
  })

  it('removes each document once, however many sweeps run at once', async () => {
    for (let n = 0; n < 120; n += 1) await documentData(fixture, ann)
    await fixture.passTime(hour + 1)
    const removed: string[] = []
    const documents: DocumentStore = {
      ...fixture.ports.documents,
      async remove(ids) {
        removed.push(...ids)
        await fixture.ports.documents.remove(ids)
      },
    }
    const ports = { ...fixture.ports, documents }
    const sweeps = await Promise.all([1, 2, 3].map(() => sweep(ports, hour, never)))
    expect(sweeps.reduce((sum, swept) => sum + swept.documents, 0)).toBe(120)
    expect([removed.length, new Set(removed).size]).toEqual([120, 120])
  })

  it('hands over many documents at once to a store that takes them', async () => {
    for (let n = 0; n < 120; n += 1) await documentData(fixture, ann)
    await fixture.passTime(hour + 1)
    const batches: number[] = []
    const documents: DocumentStore = {
      ...fixture.ports.documents,
      async remove(ids) {
        batches.push(ids.length)
        await fixture.ports.documents.remove(ids)
      },
    }
    expect((await sweep({ ...fixture.ports, documents }, hour, never)).documents).toBe(120)
    expect(batches).toEqual([50, 50, 20])
  })

  it('gives up on a store that fails every removal', async () => {
    for (let n = 0; n < 120; n += 1) await documentData(fixture, ann)
    await fixture.passTime(hour + 1)
    let asked = 0
    const remove = () => {
      asked += 1
      return Promise.reject(unavailable('Down.'))
    }
    const documents: DocumentStore = { ...fixture.ports.documents, remove }
    await expect(sweep({ ...fixture.ports, documents }, hour, never)).rejects.toMatchObject({
      kind: 'unavailable',
    })
    // A batch, then fifty one by one.
    expect(asked).toBe(51)
  })

  it('deletes expired keys until none is left', async () => {
    const left = [10_000, 10_000, 3, 0]
    const idempotency = { ...fixture.ports.idempotency, deleteExpired: async () => left.shift() ?? 0 }
    expect((await sweep({ ...fixture.ports, idempotency }, hour, never)).keys).toBe(20_003)
    expect((await sweep({ ...fixture.ports, idempotency }, hour, AbortSignal.abort())).keys).toBe(0)
  })

  it('stops when it is aborted', async () => {
    await documentData(fixture, ann)
    await fixture.passTime(hour + 1)
    expect((await sweep(fixture.ports, hour, AbortSignal.abort())).documents).toBe(0)
  })
})

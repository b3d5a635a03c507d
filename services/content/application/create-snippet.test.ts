import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { leaseMs } from '../domain/idempotency.js'
import {
  ann,
  bob,
  type ContentFixture,
  chunksOf,
  noCheck,
  snippetFilter,
} from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { createShare } from './create-share.js'
import { type CreateSnippet, checkSnippetQuota, createSnippet } from './create-snippet.js'
import { writeDocument } from './write-document.js'

const limits = { ...testPlanLimits, dataBytes: 1_000_000 }

let fixture: ContentFixture
beforeEach(() => {
  fixture = memoryFixture()
})

function request(fields: Partial<CreateSnippet> = {}): CreateSnippet {
  const data = { kind: 'inline' as const, bytes: Buffer.from('{"a":1}') }
  const common = {
    ownerId: ann,
    plan: 'free' as const,
    limits,
    name: null,
    tool: 'csv',
    title: 'T',
    tags: [],
    idempotencyKey: null,
    mayApprove: false,
  }
  return { ...common, data, ...fields }
}

const create = (fields: Partial<CreateSnippet> = {}) => createSnippet(fixture.ports, request(fields))

/** Uploads with an idempotency key, as the gateway does before a create. */
const upload = (text: string, key: string | null) =>
  writeDocument(fixture.ports, {
    ownerId: ann,
    plan: 'free',
    limits,
    key: key === null ? null : { ownerId: ann, operation: 'create-snippet', key },
    chunks: chunksOf(Buffer.from(text)),
  })

describe('creating a snippet', () => {
  it('stores its fields with cleaned tags, and its digest', async () => {
    const { result, replayed } = await create({ tags: [' a', 'b', 'a '] })
    expect(replayed).toBe(false)
    expect(result).toMatchObject({
      tags: ['a', 'b'],
      digest: { sizeBytes: 7, sha256: fixture.ports.hashing.sha256('{"a":1}') },
    })
  })

  it('is refused with every problem at once, and then stores nothing', async () => {
    const bad = create({ tool: '', title: '', idempotencyKey: 'k' })
    await expect(bad).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{}, {}] } })
    expect(await fixture.ports.snippets.count(ann)).toBe(0)
    expect((await create({ idempotencyKey: 'k' })).replayed).toBe(false)
  })

  it("is refused at the plan's limit, states that limit, and works again after a delete", async () => {
    const made = [await create(), await create(), await create()]
    const refusal = { kind: 'forbidden', code: 'snippet_limit_reached', details: { limit: 3, plan: 'free' } }
    await expect(create()).rejects.toMatchObject(refusal)
    await expect(
      checkSnippetQuota(fixture.ports, { ownerId: ann, plan: 'free', limits }),
    ).rejects.toMatchObject(refusal)
    await checkSnippetQuota(fixture.ports, { ownerId: bob, plan: 'free', limits })
    await checkSnippetQuota(fixture.ports, {
      ownerId: ann,
      plan: 'pro',
      limits: { ...limits, snippets: null },
    })
    if (made[0] !== undefined) await fixture.ports.snippets.remove(ann, made[0].result.id, noCheck, true)
    await create()
  })

  it('refuses data that is too large for the plan or for an inline message', async () => {
    const small = { ...limits, dataBytes: 6 }
    await expect(create({ limits: small })).rejects.toMatchObject({
      code: 'data_too_large',
      details: { limit: 6, actual: 7 },
    })
    const bytes = Buffer.alloc(65_537, ' ')
    await expect(create({ data: { kind: 'inline', bytes } })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const { id } = await upload('{"a":1}', null)
    await expect(create({ limits: small, data: { kind: 'document', id } })).rejects.toMatchObject({
      code: 'data_too_large',
    })
  })

  it('refuses a document that was never uploaded', async () => {
    const id = fixture.ports.ids.document()
    await expect(create({ data: { kind: 'document', id } })).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('an idempotency key', () => {
  it('replays the first response, even after the snippet was changed and deleted', async () => {
    const first = await create({ idempotencyKey: 'k' })
    await fixture.ports.snippets.change(ann, first.result.id, { title: 'New' }, noCheck, true)
    await fixture.ports.snippets.remove(ann, first.result.id, noCheck, true)
    expect(await create({ idempotencyKey: 'k' })).toEqual({ result: first.result, replayed: true })
    expect(await fixture.ports.snippets.count(ann)).toBe(0)
  })

  it('replays the first response although the limit has been reached since', async () => {
    const first = await create({ idempotencyKey: 'k' })
    await create()
    await create()
    expect(await create({ idempotencyKey: 'k' })).toEqual({ result: first.result, replayed: true })
  })

  it('is refused for a different request', async () => {
    await create({ idempotencyKey: 'k' })
    const others: Partial<CreateSnippet>[] = [
      { title: 'U' },
      { tool: 'xml' },
      { tags: ['x'] },
      { data: { kind: 'inline', bytes: Buffer.from('{"a":2}') } },
    ]
    for (const other of others) {
      await expect(create({ idempotencyKey: 'k', ...other })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
    }
  })

  it('belongs to one owner and one operation', async () => {
    await create({ idempotencyKey: 'k' })
    expect((await create({ idempotencyKey: 'k', ownerId: bob })).replayed).toBe(false)
    const share = await createShare(fixture.ports, {
      ...request({ idempotencyKey: 'k' }),
      expiry: { kind: 'default' },
    })
    expect(share.replayed).toBe(false)
  })

  it('can be used again after a failure, and after 24 hours', async () => {
    for (let n = 0; n < 3; n += 1) await create()
    await expect(create({ idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'snippet_limit_reached' })
    const first = await create({ idempotencyKey: 'k', limits: { ...limits, snippets: null } })
    await fixture.passTime(idempotencyKeyLifeMs + 1)
    const second = await create({ idempotencyKey: 'k', limits: { ...limits, snippets: null } })
    expect([second.replayed, second.result.id === first.result.id]).toEqual([false, false])
  })

  it('is held from the first byte of an upload until the snippet exists', async () => {
    const { id } = await upload('{"big":1}', 'k')
    await expect(create({ idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    await expect(upload('{"big":1}', 'k')).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    expect((await create({ idempotencyKey: 'k', data: { kind: 'document', id } })).replayed).toBe(false)
  })

  it('replays an upload without storing its bytes twice, and refuses a different one', async () => {
    const first = await upload('{"big":1}', 'k')
    const made = await create({ idempotencyKey: 'k', data: { kind: 'document', id: first.id } })
    const again = await upload('{"big":1}', 'k')
    expect(await fixture.documentsWithBytes()).toBe(1)
    const replay = await create({ idempotencyKey: 'k', data: { kind: 'document', id: again.id } })
    expect(replay).toEqual({ result: made.result, replayed: true })
    const other = await upload('{"big":2}', 'k')
    const reused = create({ idempotencyKey: 'k', data: { kind: 'document', id: other.id } })
    await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect((await fixture.ports.snippets.list(snippetFilter())).items).toHaveLength(1)
  })

  it('never creates a snippet from an upload whose bytes were only compared', async () => {
    const first = await upload('{"big":1}', 'k')
    await create({ idempotencyKey: 'k', data: { kind: 'document', id: first.id } })
    const again = await upload('{"big":1}', 'k')
    await fixture.passTime(idempotencyKeyLifeMs + 1)
    const late = create({ idempotencyKey: 'k', data: { kind: 'document', id: again.id } })
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await fixture.ports.snippets.count(ann)).toBe(1)
  })

  it('is lost by an upload that pauses for longer than its lease, and kept by a steady one', async () => {
    async function* pausing(ms: number): AsyncGenerator<Uint8Array, void, undefined> {
      for (let n = 0; n < 5; n += 1) {
        await fixture.passTime(ms)
        if (n === 3)
          taken.push(
            await fixture.ports.idempotency.begin({ key, holder: 'other' }).then(({ state }) => state),
          )
        yield Buffer.from('x')
      }
    }
    const taken: string[] = []
    const key = { ownerId: ann, operation: 'create-snippet' as const, key: 'k' }
    const write = (ms: number) =>
      writeDocument(fixture.ports, { ownerId: ann, plan: 'free', limits, key, chunks: pausing(ms) })
    const kept = await write(leaseMs - 6_000)
    expect([
      taken,
      (await create({ idempotencyKey: 'k', data: { kind: 'document', id: kept.id } })).replayed,
    ]).toEqual([['running'], false])
    await fixture.passTime(idempotencyKeyLifeMs + 1)
    await expect(write(leaseMs + 1)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  })
})

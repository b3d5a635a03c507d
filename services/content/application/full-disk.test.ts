import { beforeEach, describe, expect, it } from 'vitest'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import type { SnippetId } from '../domain/ids.js'
import { ann, chunksOf, getSnippet } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { createShare } from './create-share.js'
import { createSnippet } from './create-snippet.js'
import { deleteSnippet, updateSnippet } from './update-snippet.js'
import { writeDocument } from './write-document.js'

const limits = { ...testPlanLimits, dataBytes: 1_000_000, shareTtlDays: null, history: 1 }
const owner = { ownerId: ann, plan: 'free', limits } as const
const data = { kind: 'inline', bytes: Buffer.from('{"v":1}') } as const
const fields = { name: null, tool: 'csv', title: 'A title', data, idempotencyKey: null, mayApprove: false }
const unavailable = { kind: 'unavailable', code: 'unavailable' }

describe('while the disk is almost full', () => {
  let fixture: MemoryFixture
  let id: SnippetId
  beforeEach(async () => {
    fixture = memoryFixture()
    const { result } = await createSnippet(fixture.ports, { ...owner, ...fields, tags: [] })
    id = result.id
    fixture.fillDisk(true)
  })

  it('nothing new is stored, but reads and deletes still work', async () => {
    const { ports } = fixture
    await expect(createSnippet(ports, { ...owner, ...fields, tags: [] })).rejects.toMatchObject(unavailable)
    const share = { ...owner, ...fields, expiry: { kind: 'default' } as const }
    await expect(createShare(ports, share)).rejects.toMatchObject(unavailable)
    await expect(
      updateSnippet(ports, { ...owner, id, data, ifMatch: [], mayApprove: false }),
    ).rejects.toMatchObject(unavailable)
    const chunks = chunksOf(Buffer.alloc(100_000))
    await expect(writeDocument(ports, { ...owner, key: null, chunks })).rejects.toMatchObject(unavailable)
    expect(await fixture.documentsWithBytes()).toBe(0)

    expect(
      (await updateSnippet(ports, { ...owner, id, title: 'Another', ifMatch: [], mayApprove: false })).title,
    ).toBe('Another')
    expect((await getSnippet(fixture, ann, id, true)).data).toMatchObject({ kind: 'inline' })
    await deleteSnippet(ports, ann, id, [], false)
    fixture.fillDisk(false)
    await createSnippet(ports, { ...owner, ...fields, tags: [] })
  })
})

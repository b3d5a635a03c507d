import { beforeEach, describe, expect, it } from 'vitest'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { etagOf } from '../domain/stored-data.js'
import { ann, bob, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { type PutSnippet, putSnippet } from './put-snippet.js'

const limits = { ...testPlanLimits, snippets: 2, history: 1 }

describe('a put snippet', () => {
  let fixture: MemoryFixture
  beforeEach(() => {
    fixture = memoryFixture()
  })

  const put = (fields: Partial<PutSnippet> = {}) =>
    putSnippet(fixture.ports, {
      ownerId: ann,
      plan: 'free',
      limits,
      target: { name: 'nightly' },
      tool: 'csv',
      title: 'T',
      tags: [],
      data: { kind: 'inline', bytes: Buffer.from('{"v":1}') },
      ifMatch: [],
      ifNoneMatch: false,
      mayApprove: false,
      ...fields,
    })
  const refused = { code: 'precondition_failed' }

  it('is created under its name, then replaced completely, keeping its id and name', async () => {
    const first = await put({ tags: ['a'] })
    expect(first).toMatchObject({ created: true, snippet: { name: 'nightly', version: 1 } })
    const second = await put({ title: 'U', tool: 'json' })
    const { id } = first.snippet
    expect(second).toMatchObject({
      created: false,
      snippet: { id, name: 'nightly', version: 2, title: 'U', tool: 'json', tags: [] },
    })
    expect(await fixture.ports.snippets.count(ann)).toBe(1)
  })

  it('belongs to its owner: someone else may have one with the same name', async () => {
    const mine = await put()
    const theirs = await put({ ownerId: bob })
    expect([theirs.created, theirs.snippet.id === mine.snippet.id]).toEqual([true, false])
  })

  it('counts for the limit when it is new, but not when it is replaced', async () => {
    await put()
    await put({ target: { name: 'other' } })
    await expect(put({ target: { name: 'third' } })).rejects.toMatchObject({ code: 'snippet_limit_reached' })
    expect((await put()).created).toBe(false)
  })

  it('is only created, or only replaced, if a condition says so', async () => {
    await expect(put({ ifMatch: ['*'] })).rejects.toMatchObject(refused)
    const { snippet } = await put({ ifNoneMatch: true })
    await expect(put({ ifNoneMatch: true })).rejects.toMatchObject(refused)
    await expect(put({ ifMatch: ['other'] })).rejects.toMatchObject(refused)
    expect((await put({ ifMatch: [etagOf(snippet)] })).created).toBe(false)
  })

  it('can be replaced by its id, which never creates one', async () => {
    const { snippet } = await put()
    const target = { id: snippet.id }
    expect(await put({ target, title: 'U' })).toMatchObject({ created: false, snippet: { title: 'U' } })
    await expect(put({ target, ownerId: bob })).rejects.toMatchObject({ code: 'not_owner' })
    await fixture.ports.snippets.remove(ann, snippet.id, noCheck, true)
    await expect(put({ target })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('survives a race: a name taken meanwhile is replaced, and one given up is created again', async () => {
    const { snippets } = fixture.ports
    const { findIds } = snippets
    const racing = (meanwhile: () => Promise<unknown>) => {
      let raced = false
      const found: typeof findIds = async (keys) => {
        const ids = await findIds(keys)
        if (!raced) await meanwhile()
        raced = true
        return ids
      }
      return { ...fixture.ports, snippets: { ...snippets, findIds: found } }
    }
    const putIn = (ports: typeof fixture.ports) => {
      const data = { kind: 'inline' as const, bytes: Buffer.from('{"v":2}') }
      const text = { tool: 'csv', title: 'P', tags: [] }
      const conditions = { ifMatch: [], ifNoneMatch: false, mayApprove: false }
      const target = { name: 'nightly' }
      return putSnippet(ports, { ownerId: ann, plan: 'free', limits, target, ...text, data, ...conditions })
    }
    const rival = snippetDraft(fixture, { name: 'nightly' })
    const taken = await putIn(racing(() => snippets.add(rival, null, null)))
    expect(taken).toMatchObject({ created: false, snippet: { id: rival.id, title: 'P' } })
    const renamed = await putIn(racing(() => snippets.change(ann, rival.id, { name: 'old' }, noCheck, true)))
    expect([renamed.created, renamed.snippet.id === rival.id]).toEqual([true, false])
    expect((await snippets.findIds([{ ownerId: ann, name: 'old' }]))[0]).toBe(rival.id)
  })

  it.each(['', 'Upper', '.dot', 'a b', 'a/b', 'é', 'x'.repeat(101)])('cannot be named %j', async (name) => {
    await expect(put({ target: { name } })).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { contractQuota } from '../domain/contract.js'
import type { SnippetChange } from '../domain/snippet.js'
import { approver, checkedSnippet, roomy } from '../testing/checked-snippet.js'
import { ann, type ContentFixture, inlineData, noCheck, snippetDraft } from '../testing/content-fixture.js'

const refused = { kind: 'forbidden', code: 'approval_required' }
const tail = 'Send the new data as a check, or use credentials that may approve.'
const refusedAsSchema = { ...refused, message: `A contract uses this snippet as its schema. ${tail}` }

/** What no one can do in any store, who may not approve, while a snippet has a contract. */
export function contractGuardContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let of: Awaited<ReturnType<typeof checkedSnippet>>
    const promise = (rules = '{}', snippet = of.snippet) => {
      const draft = { rules, principal: approver }
      return fixture.ports.contracts.put(snippet, draft, noCheck, contractQuota('pro', { contracts: null }))
    }
    const add = (name: string, mayApprove: boolean) =>
      fixture.ports.snippets.add(snippetDraft(fixture, { name, mayApprove }), null, null)
    const addVersion = (version: number, mayApprove: boolean) => {
      const texts = { tool: 'json', title: 'Old', tags: [], createdAt: new Date(0) }
      const draft = { version, ...texts, data: inlineData(fixture, '{"a":0}') }
      return fixture.ports.revisions.add(of.snippet, draft, mayApprove, roomy)
    }
    /** A contract of another snippet, with a schema in that of the tests. */
    const promiseBySchema = async (named: string) => {
      const other = await add('other', true)
      if (other === null) throw new Error('no snippet')
      await promise(`\uFEFF{ "schema": {"snippet": ${JSON.stringify(named)}} }`, other)
      return other
    }
    const change = (fields: SnippetChange, mayApprove: boolean) =>
      fixture.ports.snippets.change(ann, of.snippet.id, fields, noCheck, mayApprove, roomy)
    const restore = (version: number, mayApprove: boolean) => {
      const wanted = { ownerId: ann, id: of.snippet.id, version, principal: null, mayApprove }
      return fixture.ports.revisions.restore(wanted, noCheck, roomy, null)
    }
    const remove = (mayApprove: boolean) =>
      fixture.ports.snippets.remove(ann, of.snippet.id, noCheck, mayApprove)

    beforeEach(async () => {
      fixture = await open()
      of = await checkedSnippet(fixture)
      await change({ data: inlineData(fixture, '{"a":2}') }, false)
    })

    it('replacing data, restoring, renaming and deleting need someone who may approve', async () => {
      await promise()
      for (const fields of [{ data: inlineData(fixture, '{"a":3}') }, { name: 'other' }, { name: null }])
        await expect(change({ title: 'New', ...fields }, false)).rejects.toMatchObject(refused)
      await expect(restore(1, false)).rejects.toMatchObject(refused)
      await expect(remove(false)).rejects.toMatchObject(refused)
      expect(await of.current()).toMatchObject({
        version: 2,
        title: 'A title',
        name: 'prices',
        text: '{"a":2}',
      })
      expect(await change({ data: inlineData(fixture, '{"a":3}') }, true)).toMatchObject({ version: 3 })
      expect(await restore(1, true)).toMatchObject({ version: 4 })
      expect(await change({ name: 'other' }, true)).toMatchObject({ name: 'other' })
      expect(await remove(true)).toBe(true)
    })

    it('the same bytes, the same name, other texts and a restore of the same bytes need no one', async () => {
      await promise()
      const same = { name: 'prices', data: inlineData(fixture, '{"a":2}') }
      expect(await change({ ...same, title: 'T', tool: 'json', tags: ['t'] }, false)).toMatchObject({
        version: 3,
      })
      expect(await restore(3, false)).toMatchObject({ version: 4 })
    })

    it('a snippet without a name may be given one', async () => {
      await change({ name: null }, false)
      await promise()
      expect(await change({ name: 'first' }, false)).toMatchObject({ name: 'first' })
    })

    it('nothing is protected before there is a contract, and after it is removed', async () => {
      expect(await change({ data: inlineData(fixture, '{"a":3}') }, false)).toMatchObject({ version: 3 })
      await promise()
      await fixture.ports.contracts.remove(of.snippet, noCheck)
      expect(await change({ data: inlineData(fixture, '{"a":4}') }, false)).toMatchObject({ version: 4 })
      expect(await restore(1, false)).toMatchObject({ version: 5 })
      expect(await remove(false)).toBe(true)
    })

    it('an accepted candidate replaces data, whoever sends it', async () => {
      await promise()
      const judgement = { verdict: 'same' as const, baselineVersion: 2, contractVersion: 1 }
      const check = await of.send({ data: inlineData(fixture, '{"a":2.0}'), judgement })
      expect(check).toMatchObject({ state: 'accepted', version: 3 })
    })

    it.each(['id', 'name'])(
      'a schema that a contract knows by its %s is protected like what it judges',
      async (by) => {
        const other = await promiseBySchema(by === 'id' ? of.snippet.id : '@prices')
        for (const fields of [{ data: inlineData(fixture, '{"a":3}') }, { name: 'third' }, { name: null }])
          await expect(change({ title: 'New', ...fields }, false)).rejects.toMatchObject(refusedAsSchema)
        await expect(restore(1, false)).rejects.toMatchObject(refusedAsSchema)
        await expect(remove(false)).rejects.toMatchObject(refusedAsSchema)
        expect(await change({ title: 'New', name: 'prices' }, false)).toMatchObject({ version: 3 })
        expect(await change({ data: inlineData(fixture, '{"a":3}') }, true)).toMatchObject({ version: 4 })
        expect(await restore(1, true)).toMatchObject({ version: 5 })
        await promise('{"schema":{"type":"object","snippet":"@prices"}}', other)
        expect(await change({ data: inlineData(fixture, '{"a":4}') }, false)).toMatchObject({ version: 6 })
        await promise('{"schema":{"snippet":"@prices"}}', other)
        await fixture.ports.contracts.remove(other, noCheck)
        expect(await remove(false)).toBe(true)
      },
    )

    it('the name of a schema is given only by who may approve', async () => {
      await promiseBySchema('@rules')
      await expect(add('rules', false)).rejects.toMatchObject(refusedAsSchema)
      await expect(change({ name: 'rules' }, false)).rejects.toMatchObject(refusedAsSchema)
      await change({ name: null }, true)
      await expect(change({ name: 'rules' }, false)).rejects.toMatchObject(refusedAsSchema)
      expect(await fixture.ports.snippets.count(ann)).toBe(2)
      expect(await add('rules-2', false)).toMatchObject({ name: 'rules-2' })
      expect(await add('rules', true)).toMatchObject({ name: 'rules' })
    })

    it('an archive brings back a schema only for who may approve', async () => {
      const gone = fixture.ports.ids.snippet()
      const past = { version: 1, createdAt: new Date(0), updatedAt: new Date(0) }
      const bring = (mayApprove: boolean) =>
        fixture.ports.snippets.add(snippetDraft(fixture, { id: gone, past, mayApprove }), null, null)
      await promiseBySchema(gone)
      await expect(bring(false)).rejects.toMatchObject(refusedAsSchema)
      expect(await bring(true)).toMatchObject({ id: gone })
    })

    it('a candidate for a schema waits for approval, whatever its verdict is', async () => {
      await promiseBySchema('@prices')
      const { version: baselineVersion = 0, text } = await of.current()
      const sent = { accept: 'allowed', judgement: { verdict: 'allowed', baselineVersion } } as const
      const { id, state } = await of.send({ ...sent, data: inlineData(fixture, '{"loose":true}') })
      expect([state, (await of.current()).text]).toEqual(['pending', text])
      const same = await of.send({ ...sent, data: inlineData(fixture, text ?? '') })
      expect(same).toMatchObject({ state: 'accepted', version: baselineVersion })
      expect(await of.decide(id, true)).toMatchObject({ state: 'approved', version: baselineVersion + 1 })
    })

    it('a candidate for the name of a schema becomes it once it is approved', async () => {
      await promiseBySchema('@rules')
      const { id } = await of.sendNew('rules')
      expect(await of.decide(id, true)).toMatchObject({ state: 'approved', version: 1 })
    })

    it('an earlier version is added only by who may approve: one could restore it', async () => {
      expect(await change({ data: inlineData(fixture, '{"a":3}') }, true)).toMatchObject({ version: 3 })
      await promise()
      await expect(addVersion(0, false)).rejects.toMatchObject(refused)
      expect(await addVersion(2, false)).toBe('exists')
      expect(await addVersion(4, false)).toBe('not-kept')
      expect(await addVersion(0, true)).toBe('added')
    })

    it('of changes at the moment of the contract that makes a schema of it, none comes after it', async () => {
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 5 }, (_, n) => change({ data: inlineData(fixture, `{"b":${n}}`) }, false)),
        promiseBySchema('@prices'),
        ...Array.from({ length: 5 }, (_, n) => change({ data: inlineData(fixture, `{"c":${n}}`) }, false)),
      ])
      for (const one of outcomes)
        if (one.status === 'rejected') expect(one.reason).toMatchObject(refusedAsSchema)
      await expect(change({ data: inlineData(fixture, '{"d":1}') }, false)).rejects.toMatchObject(refused)
    })

    it('of changes at the moment of the contract, none comes after it', async () => {
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 5 }, (_, n) => change({ data: inlineData(fixture, `{"b":${n}}`) }, false)),
        promise(),
        ...Array.from({ length: 5 }, (_, n) => change({ data: inlineData(fixture, `{"c":${n}}`) }, false)),
      ])
      for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused)
      const made = outcomes.filter(({ status }) => status === 'fulfilled').length
      expect(await of.current()).toMatchObject({ version: 1 + made })
      await expect(change({ data: inlineData(fixture, '{"d":1}') }, false)).rejects.toMatchObject(refused)
    })
  })
}

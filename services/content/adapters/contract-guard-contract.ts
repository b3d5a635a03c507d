import { beforeEach, describe, expect, it } from 'vitest'
import { contractQuota } from '../domain/contract.js'
import type { SnippetChange } from '../domain/snippet.js'
import { approver, checkedSnippet, roomy } from '../testing/checked-snippet.js'
import { ann, type ContentFixture, inlineData, noCheck } from '../testing/content-fixture.js'

const refused = { kind: 'forbidden', code: 'approval_required' }

/** What no one can do in any store, who may not approve, while a snippet has a contract. */
export function contractGuardContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let of: Awaited<ReturnType<typeof checkedSnippet>>
    const promise = () => {
      const draft = { rules: '{}', principal: approver }
      return fixture.ports.contracts.put(
        of.snippet,
        draft,
        noCheck,
        contractQuota('pro', { contracts: null }),
      )
    }
    const change = (fields: SnippetChange, mayApprove: boolean) =>
      fixture.ports.snippets.change(ann, of.snippet.id, fields, noCheck, roomy, mayApprove)
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

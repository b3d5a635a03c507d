import { beforeEach, describe, expect, it } from 'vitest'
import { sweep } from '../application/sweep.js'
import { noChangeQuotas } from '../domain/revision.js'
import { snippetLimitReached } from '../domain/snippet.js'
import { approver, checkedSnippet, job, roomy } from '../testing/checked-snippet.js'
import { ann, type ContentFixture, documentData, inlineData, noCheck } from '../testing/content-fixture.js'

const changed = { code: 'baseline_changed' }

/** What every store of checks does when someone decides. */
export function checkDecisionsContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let of: Awaited<ReturnType<typeof checkedSnippet>>

    beforeEach(async () => {
      fixture = await open()
      of = await checkedSnippet(fixture)
    })

    it('an approved candidate becomes the next version, by who approved it, and counts once', async () => {
      const check = await of.send({ tool: 'json', title: 'Sent', principal: job })
      expect(await of.stored()).toBe(14)
      const approved = await of.decide(check.id, true, 'Looks right.')
      expect(approved).toMatchObject({
        state: 'approved',
        version: 2,
        decidedBy: approver,
        note: 'Looks right.',
      })
      expect(await of.find(check.id)).toEqual(approved)
      expect(await of.current()).toMatchObject({ version: 2, tool: 'json', title: 'Sent', text: '{"a":2}' })
      const [newest] = await fixture.ports.revisions.list(of.snippet, null, 1)
      expect(newest?.principal).toEqual({ ...approver, checkId: check.id })
      expect([await of.stored(), await of.textOf(check.id)]).toEqual([14, '{"a":2}'])
      const again = of.decide(check.id, false)
      await expect(again).rejects.toMatchObject({ code: 'check_decided', details: { state: 'approved' } })
      expect((await of.events()).map(({ type, principal }) => [type, principal.kind]).toSorted()).toEqual([
        ['check.approved', 'owner'],
        ['check.broke', 'ci_job'],
      ])
    })

    it('shows the bytes of the version that it became while they are kept, also after other changes', async () => {
      const check = await of.send()
      await of.decide(check.id, true)
      const { snippets } = fixture.ports
      await snippets.change(ann, of.snippet.id, { title: 'Renamed' }, noCheck, true, roomy)
      expect(await of.textOf(check.id)).toBe('{"a":2}')
      await snippets.change(
        ann,
        of.snippet.id,
        { data: inlineData(fixture, '{"a":3}') },
        noCheck,
        true,
        roomy,
      )
      expect(await of.textOf(check.id)).toBe('{"a":2}')
      await snippets.change(
        ann,
        of.snippet.id,
        { data: inlineData(fixture, '{"a":4}') },
        noCheck,
        true,
        noChangeQuotas,
      )
      expect(await of.textOf(check.id)).toBeNull()
    })

    it('approves only what the current version has judged, whatever has changed', async () => {
      const check = await of.send()
      await fixture.ports.snippets.change(ann, of.snippet.id, { title: 'Renamed' }, noCheck, true)
      const message =
        'The snippet has changed since this output was judged. Send the output again to have it judged by the current version.'
      await expect(of.decide(check.id, true)).rejects.toMatchObject({ ...changed, message })
      expect(await of.find(check.id)).toEqual(check)
      expect(await of.decide(check.id, false)).toMatchObject({ state: 'rejected', version: null })
    })

    it('a rejected candidate is dropped, and its record stays', async () => {
      const check = await of.send()
      const rejected = await of.decide(check.id, false, 'No.')
      expect(rejected).toMatchObject({ state: 'rejected', note: 'No.', decidedBy: approver, version: null })
      expect([await of.textOf(check.id), await of.stored(), (await of.current())?.version]).toEqual([
        null,
        7,
        1,
      ])
      expect(await of.find(check.id)).toEqual(rejected)
      await expect(of.decide(check.id, true)).rejects.toMatchObject({ code: 'check_decided' })
    })

    it('a candidate for a new name waits, and its approval creates the snippet within the limit', async () => {
      const [first, second] = [await of.sendNew('totals'), await of.sendNew('totals', '{"b":1}')]
      expect(first).toMatchObject({ snippetId: null, name: 'totals', title: 'totals', state: 'pending' })
      expect((await of.list({ of: { snippetId: null, name: 'totals' } })).items.map(({ id }) => id)).toEqual(
        expect.arrayContaining([first.id, second.id]),
      )
      const limits = { revisions: 10, snippets: 1, refuse: () => snippetLimitReached('free', 1) }
      await expect(of.decide(first.id, true, null, limits)).rejects.toMatchObject({
        code: 'snippet_limit_reached',
      })
      const approved = await of.decide(first.id, true)
      const [id] = await fixture.ports.snippets.findIds([{ ownerId: ann, name: 'totals' }])
      expect(approved).toMatchObject({ state: 'approved', version: 1, snippetId: id })
      expect([await of.textOf(first.id), await fixture.ports.snippets.count(ann)]).toEqual(['{"a":2}', 2])
      await expect(of.decide(second.id, true)).rejects.toMatchObject(changed)
      await expect(of.sendNew('totals')).rejects.toMatchObject(changed)
      expect((await of.list({ of: { snippetId: id ?? null, name: 'totals' } })).items).toHaveLength(2)
    })

    it('a large candidate keeps its document until it is dropped, and then the version has it', async () => {
      const sendLarge = async (text: string) => of.send({ data: await documentData(fixture, ann, text) })
      const documents = async () => {
        await fixture.passTime(60_000)
        await sweep(fixture.ports, 0, new AbortController().signal)
        return fixture.documentsWithBytes()
      }
      const approved = await sendLarge('[1]')
      const rejected = await sendLarge('[2]')
      const kept = await sendLarge('[3]')
      expect([await documents(), await of.stored()]).toEqual([3, 16])
      await of.decide(approved.id, true)
      expect([await documents(), await of.stored()]).toEqual([3, 16])
      await of.decide(rejected.id, false)
      expect([await documents(), await of.stored()]).toEqual([2, 13])
      const same = await of.send({
        data: await documentData(fixture, ann, '[1]'),
        judgement: { verdict: 'same', baselineVersion: 2 },
        accept: 'never',
      })
      expect(await of.decide(same.id, true)).toMatchObject({ state: 'approved', version: 2 })
      expect([await documents(), await of.stored()]).toEqual([2, 13])
      const found = await fixture.ports.checks.find(approved.id, true)
      expect(found?.data?.kind).toBe('document')
      await fixture.ports.snippets.remove(ann, of.snippet.id, noCheck, true)
      expect([await documents(), await of.stored(), await of.find(kept.id)]).toEqual([0, 0, undefined])
    })
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import { type CheckFilter, checkDays, pendingDays, pendingMax } from '../domain/check.js'
import { contractQuota } from '../domain/contract.js'
import type { CheckId, SnippetId } from '../domain/ids.js'
import { changeQuotas } from '../domain/revision.js'
import { approver, checkDraft, checkedSnippet, job, oneBreak, roomy } from '../testing/checked-snippet.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
} from '../testing/content-fixture.js'

const day = 86_400_000
const changed = { code: 'baseline_changed' }

/** What every store of checks does with candidates that are sent, until someone decides. */
export function checkStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let of: Awaited<ReturnType<typeof checkedSnippet>>

    beforeEach(async () => {
      fixture = await open()
      of = await checkedSnippet(fixture)
    })

    it('keeps a candidate that breaks, byte for byte, with how it was judged and who sent it', async () => {
      const check = await of.send({
        data: inlineData(fixture, '{"a":1e400}'),
        principal: job,
        source: 'https://ci/1',
      })
      expect(check).toMatchObject({
        ...{ ownerId: ann, snippetId: of.snippet.id, name: 'prices', state: 'pending' },
        ...{ tool: 'csv', title: 'A title', principal: job, source: 'https://ci/1' },
        judgement: { verdict: 'breaks', as: 'json', breakCount: 1, baselineVersion: 1, contractVersion: 0 },
        ...{ version: null, decidedAt: null, decidedBy: null, note: null },
      })
      expect(await of.find(check.id)).toEqual(check)
      expect(await of.textOf(check.id)).toBe('{"a":1e400}')
      expect(await of.current()).toMatchObject({ version: 1, text: '{"a":1}' })
      expect(await of.events()).toMatchObject([
        {
          ...{ id: `${check.id}-broke`, type: 'check.broke', principal: { kind: 'ci_job', id: 'tp_1' } },
          ...{ subject: { kind: 'snippet', id: of.snippet.id }, createdAt: check.createdAt },
          detail: { check: check.id, name: 'prices', title: 'A title', breaks: 1, version: null },
        },
      ])
    })

    it.each([
      ['same', 'same', 'accepted'],
      ['same', 'never', 'pending'],
      ['allowed', 'same', 'pending'],
      ['allowed', 'allowed', 'accepted'],
      ['same', 'allowed', 'accepted'],
      ['breaks', 'allowed', 'pending'],
    ] as const)('a verdict of %s with accept=%s is %s', async (verdict, accept, state) => {
      const check = await of.send({ accept, judgement: { verdict }, title: 'Sent', principal: job })
      expect([check.state, check.version]).toEqual([state, state === 'accepted' ? 2 : null])
      const [newest] = await fixture.ports.revisions.list(of.snippet, null, 1)
      const accepted = { version: 2, title: 'Sent', principal: { ...job, checkId: check.id } }
      expect(newest).toMatchObject(state === 'accepted' ? accepted : { version: 1, title: 'A title' })
      expect(await of.textOf(check.id)).toBe('{"a":2}')
      expect(await of.stored()).toBe(14)
    })

    it('accepted with the bytes of the baseline makes no version', async () => {
      const check = await of.send({ judgement: { verdict: 'same' }, data: inlineData(fixture, '{"a":1}') })
      expect(check).toMatchObject({ state: 'accepted', version: 1 })
      expect([await of.current(), await of.stored()]).toMatchObject([{ version: 1 }, 7])
      expect(await of.textOf(check.id)).toBe('{"a":1}')
    })

    it('is accepted only by the version and the contract that judged it', async () => {
      const same = (baselineVersion: number, contractVersion: number) =>
        of.send({ judgement: { verdict: 'same', baselineVersion, contractVersion } })
      await expect(same(2, 0)).rejects.toMatchObject(changed)
      await expect(same(1, 1)).rejects.toMatchObject(changed)
      const rules = { rules: '{}', principal: approver }
      await fixture.ports.contracts.put(of.snippet, rules, noCheck, contractQuota('pro', { contracts: null }))
      await expect(same(1, 0)).rejects.toMatchObject(changed)
      expect((await of.list()).items).toEqual([])
      expect(await same(1, 1)).toMatchObject({ state: 'accepted', version: 2 })
      await expect(same(0, 1)).rejects.toMatchObject(changed)
    })

    it('is judged again if its name has become that of another snippet', async () => {
      const { ids, snippets } = fixture.ports
      const byName = (baselineId: SnippetId) =>
        of.send({ target: { name: 'prices' }, baselineId, judgement: { verdict: 'same' } })
      await expect(byName(ids.snippet())).rejects.toMatchObject(changed)
      expect(await byName(of.snippet.id)).toMatchObject({ snippetId: of.snippet.id, state: 'accepted' })
      expect(await snippets.exists(of.snippet.id)).toBe(true)
    })

    it('refuses a candidate whose snippet is gone or unknown', async () => {
      const { checks, ids, snippets } = fixture.ports
      expect(await checks.add(checkDraft(fixture, ids.snippet()), null, roomy)).toBeNull()
      expect(await checks.add(checkDraft(fixture, of.snippet.id, { ownerId: bob }), null, roomy)).toBeNull()
      await expect(of.send({ target: { name: 'other' } })).rejects.toMatchObject(changed)
      const check = await of.send()
      const decision = { approve: true, note: null, principal: approver, newSnippet: ids.snippet() }
      const limits = { snippets: null, refuse: () => new Error('no limit'), revisions: 10 }
      expect(await checks.decide({ ownerId: bob, id: check.id }, decision, limits)).toBeNull()
      await snippets.remove(ann, of.snippet.id, noCheck, true)
      expect([await of.find(check.id), await of.decide(check.id, true), await of.stored()]).toEqual([
        undefined,
        null,
        0,
      ])
    })

    it('lists newest first in pages, without breaks, by state', async () => {
      const sent: CheckId[] = []
      for (let n = 0; n < 5; n += 1) {
        sent.unshift((await of.send({ data: inlineData(fixture, `{"a":${n}}`) })).id)
        await fixture.passTime(1_000)
      }
      const [newest, second] = sent
      if (newest === undefined || second === undefined) throw new Error('nothing was sent')
      await of.decide(newest, false)
      await of.decide(second, true)
      const page = await of.list({ itemsMax: 2 })
      expect(page.items.map(({ id, judgement }) => [id, judgement.breaks])).toEqual([
        [newest, ''],
        [second, ''],
      ])
      const next = await of.list({ itemsMax: 3, after: page.next })
      expect([next.items.map(({ id }) => id), next.next]).toEqual([sent.slice(2), null])
      const ids = async (state: CheckFilter['state']) => (await of.list({ state })).items.map(({ id }) => id)
      expect([await ids('rejected'), await ids('approved'), await ids('expired')]).toEqual([
        [newest],
        [second],
        [],
      ])
      expect(await ids('pending')).toEqual(sent.slice(2))
      expect((await of.list({ of: null, state: 'pending' })).items.map(({ id }) => id)).toEqual(sent.slice(2))
      expect([
        await fixture.ports.checks.countPending(ann),
        await fixture.ports.checks.countPending(bob),
      ]).toEqual([3, 0])
    })

    it('expires the oldest beyond a hundred pending ones in the step of the newest', async () => {
      const first = await of.send()
      await fixture.passTime(1_000)
      for (let n = 1; n < pendingMax; n += 1) await of.send()
      expect((await of.find(first.id))?.state).toBe('pending')
      const other = await of.sendNew('totals')
      expect([await of.stored(), (await of.find(other.id))?.state]).toEqual([7 + 101 * 7, 'pending'])
      const newest = await of.send()
      expect((await of.find(first.id))?.state).toBe('expired')
      expect([(await of.find(newest.id))?.state, await of.textOf(first.id), await of.stored()]).toEqual([
        'pending',
        null,
        7 + 101 * 7,
      ])
    })

    it('expires what nobody decides in time, and forgets it in the end', async () => {
      const { checks } = fixture.ports
      const check = await of.send()
      await fixture.passTime((pendingDays - 1) * day)
      const late = await of.send()
      expect([await checks.expire(10), (await of.find(check.id))?.state]).toEqual([0, 'pending'])
      await fixture.passTime(day + 1)
      expect([(await of.find(check.id))?.state, await of.textOf(check.id)]).toEqual(['expired', null])
      await expect(of.decide(check.id, true)).rejects.toMatchObject({ code: 'check_decided' })
      expect([await checks.expire(10), await of.stored(), await checks.countPending(ann)]).toEqual([1, 14, 1])
      await fixture.passTime((checkDays - pendingDays - 1) * day)
      expect(await checks.deleteOld(10)).toBe(0)
      await fixture.passTime(2 * day)
      expect([await checks.expire(10), await checks.deleteOld(10)]).toEqual([1, 1])
      expect([await of.find(check.id), (await of.find(late.id))?.state]).toEqual([undefined, 'expired'])
    })

    it('counts candidates for the quota exactly, and refuses one that does not fit', async () => {
      const limit = (storedBytes: number) => changeQuotas('free', { storedBytes, revisions: 10 })
      const add = (storedBytes: number) =>
        fixture.ports.checks.add(checkDraft(fixture, of.snippet.id), null, limit(storedBytes))
      await expect(add(13)).rejects.toMatchObject({ code: 'storage_limit_reached', details: { actual: 14 } })
      expect([await of.stored(), (await of.list()).items]).toEqual([7, []])
      const check = await add(14)
      await expect(add(20)).rejects.toMatchObject({ code: 'storage_limit_reached' })
      if (check !== null) await of.decide(check.id, true)
      expect(await of.stored()).toBe(14)
    })

    it('counts breaks from the first moment to the last, and a candidate that does not fit with them is refused', async () => {
      const size = Buffer.byteLength(oneBreak)
      const judgement = { breaks: oneBreak }
      const limit = (storedBytes: number) => changeQuotas('free', { storedBytes, revisions: 10 })
      const add = (storedBytes: number) =>
        fixture.ports.checks.add(checkDraft(fixture, of.snippet.id, { judgement }), null, limit(storedBytes))
      const refused = { code: 'storage_limit_reached', details: { actual: 14 + size } }
      await expect(add(13 + size)).rejects.toMatchObject(refused)
      expect([await of.stored(), (await of.list()).items]).toEqual([7, []])
      const check = await add(14 + size)
      if (check === null) throw new Error('no snippet')
      expect(await of.stored()).toBe(14 + size)
      await of.decide(check.id, false)
      expect([await of.stored(), (await of.find(check.id))?.judgement.breaks]).toEqual([7 + size, oneBreak])
      const large = await documentData(fixture, ann, '[1]')
      await of.send({ data: large, judgement })
      expect(await of.stored()).toBe(7 + size + 3 + size)
      const accepted = await of.send({ judgement: { ...judgement, verdict: 'same' } })
      expect([accepted.judgement.breaks, await of.stored()]).toEqual(['', 14 + size + 3 + size])
      await fixture.passTime((checkDays + 1) * day)
      expect([await fixture.ports.checks.expire(10), await fixture.ports.checks.deleteOld(10)]).toEqual([
        1, 3,
      ])
      expect(await of.stored()).toBe(14 + 3)
      await of.send({ judgement: { ...judgement, baselineVersion: 2 } })
      await fixture.ports.snippets.remove(ann, of.snippet.id, noCheck, true)
      expect(await of.stored()).toBe(3)
    })

    it('completes the request together with the check, or does neither', async () => {
      const { checks, idempotency, ids } = fixture.ports
      const lease = {
        key: { ownerId: ann, operation: 'create-check', key: 'k' } as const,
        holder: ids.holder(),
      }
      const add = () => checks.add(checkDraft(fixture, of.snippet.id), { lease, fingerprint: 'f' }, roomy)
      await expect(add()).rejects.toMatchObject({ kind: 'unavailable' })
      expect([(await of.list()).items, await of.stored()]).toEqual([[], 7])
      await idempotency.begin(lease)
      const check = await add()
      const state = await idempotency.begin({ ...lease, holder: ids.holder() })
      expect(state).toMatchObject({ state: 'done', response: check?.id })
    })
  })
}

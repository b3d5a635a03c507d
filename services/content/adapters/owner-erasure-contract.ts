import { beforeEach, describe, expect, it } from 'vitest'
import { eraseOwner } from '../application/erase-owner.js'
import { reportShare } from '../application/report-share.js'
import { setPlan } from '../application/set-plan.js'
import { contractQuota } from '../domain/contract.js'
import { documentId, type OwnerId, shareId, snippetId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import { noStorageQuota } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { checkDraft, oneBreak } from '../testing/checked-snippet.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
  shareDraft,
  snippetDraft,
  snippetFilter,
} from '../testing/content-fixture.js'

const never = () => null
const graceMs = 60_000
const gone = { code: 'not_found' }
const because = {
  operatorId: 'op',
  operatorName: 'op@example.com',
  reason: 'spam',
  message: 'Sorry.',
  shownAs: null,
}

type Ports = Pick<ContentPorts, 'erasure' | 'documents' | 'registry' | 'monotonicMs'>

/** The process is killed before or after its nth step. */
class Killed extends Error {}

/** Ports with which the process is killed: every function that is waited for counts as a step, before and after it. */
function killedAt(step: number, ports: Ports): Ports {
  let steps = 0
  const count = (): void => {
    steps += 1
    if (steps === step) throw new Killed()
  }
  const guard = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          count()
          const result: unknown = await Reflect.apply(member, target, args)
          count()
          return result
        }
      },
    })
  const { erasure, documents, registry, monotonicMs } = ports
  return { erasure: guard(erasure), documents: guard(documents), registry: guard(registry), monotonicMs }
}

/** How owners are erased in every technology. */
export function ownerErasureContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    beforeEach(async () => {
      fixture = await open()
    })
    const erase = (ports: Ports = fixture.ports) => eraseOwner(ports, ann, graceMs)

    /** Something in every place where content keeps data of an owner. */
    const fill = async (owner: OwnerId): Promise<void> => {
      const { ports } = fixture
      const { snippets, shares, contracts, checks, idempotency, moderation } = ports
      for (const title of ['one', 'two']) {
        const data = await documentData(fixture, owner, `{"of":"${owner}","title":"${title}"}`)
        const snippet = await snippets.add(snippetDraft(fixture, { ownerId: owner, data }), null, null)
        if (snippet === null) throw new Error('no snippet')
        const next = await documentData(fixture, owner, '[1]')
        const quotas = { storage: noStorageQuota, revisions: 10 }
        await snippets.change(owner, snippet.id, { data: next }, noCheck, true, quotas)
      }
      const judged = await snippets.add(snippetDraft(fixture, { ownerId: owner }), null, null)
      if (judged === null) throw new Error('no snippet')
      const rules = { rules: '{}', principal: null }
      await contracts.put(judged, rules, noCheck, contractQuota('pro', { contracts: null }))
      for (const data of [inlineData(fixture, '[2]'), await documentData(fixture, owner, '[3]')])
        await checks.add(checkDraft(fixture, judged.id, { ownerId: owner, data }), null, noChangeQuotas)
      const first = { verdict: 'new' as const, baselineVersion: 0, breaks: oneBreak }
      const target = { name: 'new' }
      const wanted = { ownerId: owner, target, tool: 'json', judgement: first }
      await checks.add(checkDraft(fixture, judged.id, wanted), null, noChangeQuotas)
      const data = await documentData(fixture, owner)
      const share = await shares.add(shareDraft(fixture, { ownerId: owner, data }), never, null)
      const expired = new Date(Date.now() - 1_000)
      await shares.add(shareDraft(fixture, { ownerId: owner }), () => expired, null)
      await shares.addViews([{ id: share.id, views: 3 }])
      const report = { shareId: share.id, reason: 'phishing', message: 'a report', email: '' }
      await reportShare(ports, { ...report, reporter: new Uint8Array(32) })
      await moderation.setDisabled(share.id, true, because)
      const key = { ownerId: owner, operation: 'create-snippet', key: 'a key' } as const
      await idempotency.begin({ key, holder: 'holder' })
      await documentData(fixture, owner, '{"nobody":"names this"}')
    }
    const countOf = async (owner: OwnerId) => {
      const { snippets, shares, contracts, checks, usage, outbox, reports } = fixture.ports
      const events = (await outbox.claim(1_000, 0)).filter((event) => event.ownerId === owner)
      const all = { ownerId: owner, tool: null, state: 'all', after: null, itemsMax: 100 } as const
      const reported = await reports.list({
        state: 'all',
        reason: null,
        shareId: null,
        after: null,
        itemsMax: 100,
      })
      return {
        snippets: (await snippets.list(snippetFilter({ ownerId: owner }))).items.length,
        counted: await snippets.count(owner),
        shares: (await shares.list(all)).items.length,
        contracts: await contracts.count(owner),
        checks: await checks.countPending(owner),
        bytes: await usage.storedBytes(owner),
        events: events.length,
        reports: reported.items.filter(({ ownerId }) => ownerId === owner).length,
      }
    }
    const nothing = {
      snippets: 0,
      counted: 0,
      shares: 0,
      contracts: 0,
      checks: 0,
      bytes: 0,
      events: 0,
      reports: 0,
    }

    it('deletes everything of the owner and nothing of others', async () => {
      await fill(ann)
      const before = await fixture.documentsWithBytes()
      expect(before).toBeGreaterThan(0)
      await fill(bob)
      const bobs = await countOf(bob)
      expect(bobs).toMatchObject({ snippets: 3, shares: 2, contracts: 1, checks: 3, reports: 1 })
      expect(await erase()).toBe(true)
      expect(await countOf(ann)).toEqual(nothing)
      expect(await countOf(bob)).toEqual(bobs)
      expect(await fixture.documentsWithBytes()).toBe(before)
      expect(await erase()).toBe(true)
    })

    it('ends in the same state after a kill at any step', { timeout: 120_000 }, async () => {
      for (let step = 1; ; step += 1) {
        fixture = await open()
        await fill(ann)
        const killed = await erase(killedAt(step, fixture.ports)).then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error
            return true
          },
        )
        if (!killed) break
        for (let runs = 0; !(await erase()); runs += 1) expect(runs).toBeLessThan(3)
        expect(await countOf(ann), `step ${step}`).toEqual(nothing)
        expect(await fixture.documentsWithBytes(), `step ${step}`).toBe(0)
      }
      expect(await countOf(ann)).toEqual(nothing)
    })

    it('two processes that erase an owner at once do it once', async () => {
      await fill(ann)
      const outcomes = await Promise.allSettled([erase(), erase(), erase()])
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled')
      expect(await erase()).toBe(true)
      expect(await countOf(ann)).toEqual(nothing)
    })

    it('leaves no sweep the documents that it removes', async () => {
      await fill(ann)
      await fixture.passTime(2 * graceMs)
      const { erasure, registry } = fixture.ports
      while ((await erasure.removeRecords(ann, 100)) > 0);
      expect((await erasure.condemn(ann, graceMs, 100)).length).toBeGreaterThan(0)
      expect(await registry.condemn(graceMs, 100)).toEqual([])
    })

    it('no later write brings the owner back', async () => {
      const reserved = documentId(fixture.ports.ids.document())
      await fill(ann)
      expect(await erase()).toBe(true)
      const { snippets, shares, checks, registry, planVersions } = fixture.ports
      await expect(snippets.add(snippetDraft(fixture), null, null)).rejects.toMatchObject(gone)
      await expect(shares.add(shareDraft(fixture), never, null)).rejects.toMatchObject(gone)
      const first = { verdict: 'new' as const, baselineVersion: 0, breaks: oneBreak }
      const wanted = { target: { name: 'new' }, tool: 'json', judgement: first }
      const late = checks.add(checkDraft(fixture, snippetId('any'), wanted), null, noChangeQuotas)
      await expect(late).rejects.toMatchObject(gone)
      await registry.reserve(reserved, ann)
      const digest = { sizeBytes: 2, sha256: '00'.repeat(32) }
      await expect(registry.complete(reserved, digest, true)).rejects.toBeInstanceOf(Error)
      await setPlan({ shares, planVersions }, ann, { shareTtlDays: null }, 9).catch((error: unknown) =>
        expect(error).toMatchObject(gone),
      )
      expect(await countOf(ann)).toEqual(nothing)
      expect(await shares.find(shareId('unknown'), false)).toBeNull()
    })

    it('waits for an upload that may still be running', async () => {
      const { registry, ids } = fixture.ports
      const running = documentId(ids.document())
      await registry.reserve(running, ann)
      expect(await erase()).toBe(false)
      await registry.complete(running, { sizeBytes: 2, sha256: '00'.repeat(32) }, true)
      expect(await erase()).toBe(true)
      expect(await countOf(ann)).toEqual(nothing)
    })

    it('audit entries that wait for delivery stay, without the owner and what they told', async () => {
      await fill(ann)
      const waiting = () => fixture.ports.auditOutbox.claim(100, 0)
      const entry = (await waiting()).find(({ accountId }) => accountId === ann)
      expect(entry).toMatchObject({ message: 'Sorry.', detail: { title: 'A title' } })
      await erase()
      const all = await waiting()
      expect(all.filter(({ accountId }) => accountId === ann)).toEqual([])
      const kept = all.find(({ id }) => id === entry?.id)
      expect(kept).toMatchObject({ action: 'share.disabled', operatorId: 'op', message: '', detail: {} })
      expect(kept?.accountId).toMatch(/^[0-9a-f]{64}$/)
    })
  })
}

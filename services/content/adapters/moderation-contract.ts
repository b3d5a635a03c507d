import { beforeEach, describe, expect, it } from 'vitest'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { getShare } from '../application/read-share.js'
import { reportShare } from '../application/report-share.js'
import { purgeExpired } from '../application/sweep.js'
import { type ShareId, shareId } from '../domain/ids.js'
import { dataDeletedAt, stateOf } from '../domain/moderated-share.js'
import { reportDays, reportsPerShareMax } from '../domain/report.js'
import { disabledDataDays, type Share } from '../domain/share.js'
import { ann, bob, type ContentFixture, documentData, shareDraft } from '../testing/content-fixture.js'

const dayMs = 86_400_000
const never = () => null
const signal = new AbortController().signal

const because: OperatorDecision = {
  operatorId: 'operator',
  operatorName: 'op@example.com',
  reason: 'phishing',
  message: 'It imitates a bank.',
  shownAs: null,
}

/** A digest of a reporter. */
function reporter(n: number): Uint8Array {
  return new Uint8Array(32).fill(n)
}

/** How reports and operators act on shares, in every technology. */
export function moderationContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let share: Share
    beforeEach(async () => {
      fixture = await open()
      const data = await documentData(fixture, ann, '{"a":1}')
      share = await fixture.ports.shares.add(shareDraft(fixture, { data }), never, null)
    })
    const read = (id: ShareId) => getShare(fixture.ports, id, true)
    const entriesOf = async (id: string) =>
      (await fixture.ports.auditOutbox.claim(1_000, 0)).filter(({ subject }) => subject.id === id)
    const eventsOf = async (type: string) =>
      (await fixture.ports.outbox.claim(1_000, 0)).filter((event) => event.type === type)
    const report = (from: number, fields: Partial<Parameters<typeof reportShare>[1]> = {}) => {
      const said = { shareId: share.id, reason: 'phishing', message: '', email: '' }
      return reportShare(fixture.ports, { ...said, reporter: reporter(from), ...fields })
    }
    const listed = async (state: 'open' | 'resolved' | 'all' = 'all') => {
      const filter = { state, reason: null, shareId: share.id, after: null, itemsMax: 200 }
      return (await fixture.ports.reports.list(filter)).items
    }

    it('a disabled share is gone with its own code, keeps its data, and comes back unchanged', async () => {
      const { moderation, shares, registry } = fixture.ports
      const disabled = await moderation.setDisabled(share.id, true, because)
      expect(disabled && stateOf(disabled)).toBe('disabled')
      expect(disabled?.hasData).toBe(true)
      await expect(read(share.id)).rejects.toMatchObject({ kind: 'gone', code: 'share_disabled' })
      const kept = await shares.find(share.id, true)
      expect([kept?.data, kept?.record.disabledAt]).toEqual([null, disabled?.share.disabledAt])
      expect(await shares.countLive(ann)).toBe(1)
      if (share.location.kind === 'document')
        expect(await registry.findNamed(share.location.id)).not.toBeNull()
      await moderation.setDisabled(share.id, false, because)
      const back = await read(share.id)
      expect([back.record, back.data?.kind]).toEqual([share, 'document'])
    })

    it('records each change of a share once with its audit entry, and tells the owner without the reason', async () => {
      const { moderation } = fixture.ports
      for (const disabled of [true, true, false, false])
        await moderation.setDisabled(share.id, disabled, because)
      expect((await entriesOf(share.id)).map(({ action }) => action).sort()).toEqual([
        'share.disabled',
        'share.enabled',
      ])
      expect((await entriesOf(share.id))[0]).toMatchObject({
        operatorId: 'operator',
        operatorName: 'op@example.com',
        reason: 'phishing',
        accountId: ann,
      })
      const [told, ...more] = await eventsOf('share.disabled')
      expect(more).toEqual([])
      expect(told).toMatchObject({
        ownerId: ann,
        principal: { kind: 'operator', id: null },
        subject: { kind: 'share', id: share.id },
        detail: { title: share.title, message: 'It imitates a bank.' },
      })
      expect(JSON.stringify(told)).not.toMatch(/phishing|op@example/)
      expect(await eventsOf('share.enabled')).toHaveLength(1)
    })

    it('shows the gate of a share and how it was used, and none of a share without one', async () => {
      const { ids, shares, gates, moderation } = fixture.ports
      const gate = { passwordHash: 'h', viewsMax: 3 }
      const { id } = await shares.add(shareDraft(fixture, { id: ids.gatedShare(), gate }), never, null)
      await gates.grant(id, '0'.repeat(64))
      await gates.addFailure(id)
      const found = { hasPassword: true, viewsLeft: 2, views: 1, failedPasswords: 1 }
      expect((await moderation.find(id))?.share.gate).toMatchObject(found)
      expect((await moderation.setDisabled(id, true, because))?.share.gate).toMatchObject(found)
      expect((await moderation.find(share.id))?.share.gate).toBeNull()
    })

    it('ten operators who disable a share at once record one entry', async () => {
      const { moderation } = fixture.ports
      await Promise.all(Array.from({ length: 10 }, () => moderation.setDisabled(share.id, true, because)))
      expect(await entriesOf(share.id)).toHaveLength(1)
    })

    it('deletes the data of a share only after it was disabled for the time of an appeal', async () => {
      const { moderation, shares, registry } = fixture.ports
      const disabled = await moderation.setDisabled(share.id, true, because)
      const due = disabled === null ? null : dataDeletedAt(disabled)
      expect(due?.getTime()).toBe(Number(disabled?.share.disabledAt) + disabledDataDays * dayMs)
      await fixture.passTime(disabledDataDays * dayMs - 60_000)
      await purgeExpired(fixture.ports, signal)
      expect((await moderation.find(share.id))?.hasData).toBe(true)
      await fixture.passTime(120_000)
      await purgeExpired(fixture.ports, signal)
      await purgeExpired(fixture.ports, signal)
      expect(await moderation.find(share.id)).toMatchObject({ hasData: false })
      expect(await shares.countLive(ann)).toBe(0)
      if (share.location.kind === 'document') expect(await registry.findNamed(share.location.id)).toBeNull()
      await expect(read(share.id)).rejects.toMatchObject({ code: 'share_disabled' })
      await expect(moderation.setDisabled(share.id, false, because)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'share_data_deleted',
      })
      expect(await eventsOf('share.data_deleted')).toHaveLength(1)
      expect(await eventsOf('share.expired')).toEqual([])
    })

    it('a disabled share that its owner deletes is unknown, and leaves nothing behind', async () => {
      const { moderation, shares } = fixture.ports
      await moderation.setDisabled(share.id, true, because)
      expect(await shares.remove(share.id, () => {})).toBe(true)
      expect(await moderation.find(share.id)).toBeNull()
      expect(await moderation.setDisabled(share.id, true, because)).toBeNull()
      expect(await moderation.setDisabled(shareId('nothing'), true, because)).toBeNull()
      await fixture.passTime(2 * disabledDataDays * dayMs)
      expect(await moderation.purgeDisabled(10)).toBe(0)
    })

    it('lists a disabled share to its owner with its time, and as expired once its data is deleted', async () => {
      const { moderation, shares } = fixture.ports
      await moderation.setDisabled(share.id, true, because)
      const filter = { ownerId: ann, tool: null, after: null, itemsMax: 10 }
      const [live] = (await shares.list({ ...filter, state: 'live' })).items
      expect(live?.disabledAt).toBeInstanceOf(Date)
      await fixture.passTime((disabledDataDays + 1) * dayMs)
      await moderation.purgeDisabled(10)
      expect((await shares.list({ ...filter, state: 'live' })).items).toEqual([])
      const [gone] = (await shares.list({ ...filter, state: 'expired' })).items
      expect(gone?.id).toBe(share.id)
    })

    it('the shares of a suspended owner are unknown, and those of others are not', async () => {
      const { moderation, shares } = fixture.ports
      const other = await shares.add(shareDraft(fixture, { ownerId: bob }), never, null)
      await moderation.setSuspended(ann, true, 1)
      await expect(read(share.id)).rejects.toMatchObject({ code: 'not_found' })
      expect(await moderation.find(share.id)).toMatchObject({ ownerSuspended: true, hasData: true })
      expect((await read(other.id)).record.id).toBe(other.id)
      await moderation.setSuspended(ann, false, 2)
      expect((await read(share.id)).record).toEqual(share)
    })

    it('an older decision about an owner never replaces a later one', async () => {
      const { moderation } = fixture.ports
      await moderation.setSuspended(ann, false, 2)
      await moderation.setSuspended(ann, true, 1)
      await moderation.setSuspended(ann, true, 2)
      expect((await read(share.id)).record.id).toBe(share.id)
      await moderation.setSuspended(ann, true, 3)
      await expect(read(share.id)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('merges the reports of one reporter of one share', async () => {
      await report(1, { message: 'Look at line 3.' })
      await report(1, { reason: 'malware', email: 'me@example.com' })
      await report(2)
      const found = await listed()
      expect(found).toHaveLength(2)
      const merged = found.find(({ times }) => times === 2)
      expect(merged).toMatchObject({
        reason: 'malware',
        message: '',
        email: 'me@example.com',
        resolvedAt: null,
      })
      expect(merged).toMatchObject({ ownerId: ann, shareTitle: share.title, shareState: 'live' })
      expect((await fixture.ports.moderation.find(share.id))?.openReports).toBe(2)
    })

    it('stores a bounded number of reports of a share, also under a flood', async () => {
      for (let from = 0; from < reportsPerShareMax + 20; from += 20)
        await Promise.all(Array.from({ length: 20 }, (_value, n) => report(from + n)))
      expect(await listed()).toHaveLength(reportsPerShareMax)
    })

    it('closes a report once, with the note and its audit entry, and opens a new one for the next', async () => {
      const { reports } = fixture.ports
      await report(1)
      const [open] = await listed('open')
      if (open === undefined) throw new Error('there is no report')
      const closed = await reports.resolve(open.id, because)
      expect(closed).toMatchObject({ note: 'phishing' })
      expect(closed?.resolvedAt).toBeInstanceOf(Date)
      expect(await reports.resolve(open.id, { ...because, reason: 'again' })).toEqual(closed)
      expect(await entriesOf(open.id)).toMatchObject([
        { action: 'report.resolved', accountId: ann, detail: { share: share.id } },
      ])
      expect(await listed('open')).toEqual([])
      await report(1)
      expect([(await listed('open')).length, (await listed('resolved')).length]).toEqual([1, 1])
    })

    it('answers a report of a share that cannot be read like a read', async () => {
      const { moderation } = fixture.ports
      await expect(report(1, { shareId: shareId('nothing') })).rejects.toMatchObject({ code: 'not_found' })
      await moderation.setDisabled(share.id, true, because)
      await expect(report(1)).rejects.toMatchObject({ code: 'share_disabled' })
      await moderation.setSuspended(ann, true, 1)
      await expect(report(1)).rejects.toMatchObject({ code: 'not_found' })
      expect(await listed()).toEqual([])
    })

    it('rejects what is too long or unknown, and names every problem', async () => {
      const bad = { message: 'x'.repeat(1_001), email: '\u0000' }
      await expect(report(1, bad)).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: [{ pointer: '/message' }, { pointer: '/email' }] },
      })
      await expect(report(1, { reason: 'boring' })).rejects.toMatchObject({ code: 'validation_failed' })
    })

    it('forgets reports when they are old, closed ones sooner', async () => {
      const { reports } = fixture.ports
      await report(1)
      await report(2)
      const [one] = await listed()
      if (one === undefined) throw new Error('there is no report')
      await reports.resolve(one.id, because)
      await fixture.passTime((reportDays.resolved - 1) * dayMs)
      expect(await reports.deleteOld(10)).toBe(0)
      await fixture.passTime(2 * dayMs)
      expect(await reports.deleteOld(10)).toBe(1)
      expect(await listed('open')).toHaveLength(1)
      await fixture.passTime((reportDays.open - reportDays.resolved) * dayMs)
      expect(await reports.deleteOld(10)).toBe(1)
      expect(await listed()).toEqual([])
    })

    it('lists reports page by page, newest first, by state and reason', async () => {
      const { reports } = fixture.ports
      for (let n = 0; n < 5; n += 1) await report(n, { reason: n % 2 === 0 ? 'secret' : 'other' })
      const filter = { state: 'open', reason: null, shareId: null, itemsMax: 2 } as const
      const seen: string[] = []
      let after: Parameters<typeof reports.list>[0]['after'] = null
      for (let pages = 0; pages < 3; pages += 1) {
        const page = await reports.list({ ...filter, after })
        seen.push(...page.items.map(({ id }) => id))
        after = page.next
      }
      expect([seen.length, new Set(seen).size, after]).toEqual([5, 5, null])
      const secrets = await reports.list({ ...filter, reason: 'secret', after: null, itemsMax: 10 })
      expect(secrets.items).toHaveLength(3)
    })

    it('shows how many events wait', async () => {
      const [queue, ...others] = await fixture.ports.moderation.queues()
      expect(queue).toMatchObject({ name: 'events', waiting: 1, failing: 0 })
      expect(queue?.oldestAt).toBeInstanceOf(Date)
      expect(others).toEqual([{ name: 'audit_entries', waiting: 0, failing: 0, oldestAt: null }])
      await fixture.ports.moderation.setDisabled(share.id, true, because)
      expect((await fixture.ports.moderation.queues())[1]).toMatchObject({ waiting: 1, failing: 0 })
    })
  })
}

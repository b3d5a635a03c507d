import { beforeEach, describe, expect, it } from 'vitest'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { getGatedShare } from '../application/read-share.js'
import { reportShare } from '../application/report-share.js'
import { revealShare } from '../application/reveal-share.js'
import type { GatedRead } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import { disabledDataDays, type Share } from '../domain/share.js'
import type { NewGate } from '../domain/share-gate.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
  shareDraft,
} from '../testing/content-fixture.js'

const hour = 3_600_000
const grantLife = 600_000

const because: OperatorDecision = {
  ...{ operatorId: 'operator', operatorName: 'op', reason: 'phishing', message: '', shownAs: null },
}

/** The behaviour of every `ShareGateStore`. */
export function shareGatesContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = (gate: Partial<NewGate> = {}, ttlMs: number | null = null, fields = {}): Promise<Share> => {
      const id = fixture.ports.ids.gatedShare()
      const wanted = { passwordHash: null, viewsMax: null, ...gate }
      return fixture.ports.shares.add(
        shareDraft(fixture, { id, gate: wanted, ...fields }),
        (now) => (ttlMs === null ? null : new Date(now.getTime() + ttlMs)),
        null,
      )
    }
    const digestOf = (grant: string): string => fixture.ports.hashing.sha256(grant)
    const grant = (id: ShareId, text = fixture.ports.ids.accessGrant()) =>
      fixture.ports.gates.grant(id, digestOf(text))
    const find = (id: ShareId, read: Partial<GatedRead> = {}) =>
      fixture.ports.gates.find(id, { includeData: true, accessGrantDigest: null, accountId: null, ...read })
    const events = async (type: string) =>
      (await fixture.ports.outbox.claim(500, 0)).filter((event) => event.type === type)

    beforeEach(async () => {
      fixture = await open()
    })

    it('gives data to the owner and to grants of the same share, and to no one else', async () => {
      const share = await add({ passwordHash: 'h', viewsMax: 3 }, hour, {
        data: inlineData(fixture, '{"a":1}'),
      })
      const other = await add({ viewsMax: 3 })
      await grant(share.id, 'right')
      await grant(other.id, 'wrong')
      const access = async (read: Partial<GatedRead>) => {
        const found = await find(share.id, read)
        return [found?.access, found?.data?.kind ?? null]
      }
      expect(await access({})).toEqual([null, null])
      expect(await access({ accessGrantDigest: digestOf('right') })).toEqual(['grant', 'inline'])
      expect(await access({ accessGrantDigest: digestOf('wrong') })).toEqual([null, null])
      expect(await access({ accountId: ann })).toEqual(['owner', 'inline'])
      expect(await access({ accountId: bob })).toEqual([null, null])
      expect(await access({ accountId: ann, includeData: false })).toEqual(['owner', null])
      const large = await add({ viewsMax: 1 }, null, { data: await documentData(fixture, ann) })
      expect((await find(large.id))?.data).toBeNull()
      expect((await find(large.id, { accountId: ann }))?.data?.kind).toBe('document')
      expect(await find(fixture.ports.ids.gatedShare())).toBeNull()
    })

    it('counts a view with each grant, and tells the owner when', async () => {
      const { id } = await add({ viewsMax: 2 })
      const first = await grant(id)
      await fixture.passTime(60_000)
      const second = await grant(id)
      expect([first?.share.gate?.viewsLeft, second?.share.gate?.viewsLeft]).toEqual([1, 0])
      expect(await grant(id)).toBeNull()
      const gate = (await find(id, { accountId: ann }))?.record.gate
      expect(gate).toMatchObject({ hasPassword: false, viewsLeft: 0, views: 2, failedPasswords: 0 })
      expect(
        (gate?.lastViewedAt?.getTime() ?? 0) - (gate?.firstViewedAt?.getTime() ?? 0),
      ).toBeGreaterThanOrEqual(60_000)
      expect(
        (await events('share.used_up')).map(({ subject, detail }) => [subject.id, detail.views]),
      ).toEqual([[id, 2]])
    })

    it('refuses a digest that it has, of whichever share, and counts nothing', async () => {
      const [{ id }, other] = [await add({ viewsMax: 3 }), await add({ viewsMax: 3 })]
      const first = await grant(id, 'once')
      const found = await find(id, { accessGrantDigest: digestOf('once') })
      expect(found?.grantExpiresAt).toEqual(first?.expiresAt)
      expect(await Promise.all([grant(id, 'once'), grant(other.id, 'once')])).toEqual([null, null])
      expect((await find(id))?.record.gate).toMatchObject({ views: 1, viewsLeft: 2 })
      const elsewhere = await find(other.id, { accessGrantDigest: digestOf('once') })
      expect(elsewhere).toMatchObject({ access: null, grantExpiresAt: null, record: { gate: { views: 0 } } })
    })

    it('of 200 concurrent reveals with five views left gives five grants, and loses no count without a limit', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { id } = await add({ viewsMax: 5 })
        const grants = Array.from({ length: 200 }, (_none, n) => `${round}-${n}`)
        const given = await Promise.all(grants.map((text) => grant(id, text)))
        expect(given.filter((one) => one !== null)).toHaveLength(5)
        const left = given.flatMap((one) => one?.share.gate?.viewsLeft ?? [])
        expect(left.toSorted()).toEqual([0, 1, 2, 3, 4])
        for (const [n, text] of grants.entries()) {
          if (given[n] === null && n % 20 > 0) continue
          const found = await find(id, { accessGrantDigest: digestOf(text) })
          expect(found?.access === 'grant', text).toBe(given[n] !== null)
        }
        const unlimited = await add({ passwordHash: 'h' })
        await Promise.all(Array.from({ length: 50 }, () => grant(unlimited.id)))
        expect((await find(unlimited.id))?.record.gate).toMatchObject({ views: 50, viewsLeft: null })
      }
    })

    it('ends a grant after ten minutes, and never opens an expired share with it', async () => {
      const { id } = await add({ passwordHash: 'h' }, 20 * 60_000)
      await grant(id, 'one')
      const accessOf = async () => (await find(id, { accessGrantDigest: digestOf('one') }))?.access
      await fixture.passTime(grantLife - 5_000)
      expect(await accessOf()).toBe('grant')
      await fixture.passTime(5_000)
      expect(await accessOf()).toBeNull()
      await grant(id, 'two')
      await fixture.passTime(grantLife)
      const late = await find(id, { accessGrantDigest: digestOf('two'), accountId: ann })
      expect(late).toMatchObject({ expired: true, data: null })
      expect(await grant(id)).toBeNull()
      expect(await fixture.ports.gates.deleteEndedAccessGrants(1)).toBe(1)
      expect(await fixture.ports.gates.deleteEndedAccessGrants(10)).toBe(1)
      expect(await fixture.ports.gates.deleteEndedAccessGrants(10)).toBe(0)
    })

    it('tells 20 wrong passwords in any hour, however many arrive at once, and then refuses the right one too', async () => {
      const { gates } = fixture.ports
      const { id } = await add({ passwordHash: 'h' })
      const told = await Promise.all(Array.from({ length: 100 }, () => gates.addFailure(id)))
      expect(told.filter(Boolean)).toHaveLength(20)
      const limited = await find(id)
      expect(limited?.record.gate?.failedPasswords).toBe(20)
      expect(limited?.limitedForMs).toBeGreaterThan(hour - 60_000)
      expect(limited?.limitedForMs).toBeLessThanOrEqual(hour)
      expect(await grant(id)).toBeNull()
      expect(await events('share.password_failed')).toHaveLength(1)
      await fixture.passTime(hour)
      expect((await find(id))?.limitedForMs).toBe(0)
      expect(await grant(id)).not.toBeNull()
      expect(await gates.addFailure(id)).toBe(true)
      expect((await find(id))?.limitedForMs).toBe(0)
    })

    it('purges a used-up share once its last grant has ended, and keeps its tombstone', async () => {
      const { gates, shares, registry } = fixture.ports
      const data = await documentData(fixture, ann)
      const used = await add({ passwordHash: 'h', viewsMax: 1 }, null, { data, title: 'Burnt' })
      const unused = await add({ viewsMax: 1 })
      await grant(used.id, 'last')
      await fixture.passTime(grantLife - 5_000)
      expect(await gates.purgeUsedUp(10)).toBe(0)
      expect((await find(used.id, { accessGrantDigest: digestOf('last') }))?.data?.kind).toBe('document')
      await fixture.passTime(5_000)
      expect([await gates.purgeUsedUp(10), await gates.purgeUsedUp(10)]).toEqual([1, 0])
      expect(await find(used.id, { accountId: ann })).toMatchObject({
        ...{ purged: true, expired: true, data: null, passwordHash: null },
        record: { title: 'Burnt', gate: { viewsLeft: 0, views: 1 } },
      })
      expect((await find(unused.id))?.purged).toBe(false)
      await fixture.passTime(1)
      expect([await registry.condemn(0, 10), await shares.countLive(ann)]).toEqual([[data.id], 1])
      const all = { ownerId: ann, tool: null, after: null, itemsMax: 10 }
      const listed = async (state: 'live' | 'expired') =>
        (await shares.list({ ...all, state })).items.map(({ id, gate }) => [id, gate?.viewsLeft])
      expect(await listed('expired')).toEqual([[used.id, 0]])
      expect(await listed('live')).toEqual([[unused.id, 1]])
      expect(await shares.purgeExpired(10)).toBe(0)
    })

    /** What its owner, a reader with a grant, and a new one get, and whether a wrong password is told. */
    const outcomes = async (id: ShareId) => {
      const codeOf = (call: Promise<unknown>) =>
        call.then(
          () => 'ok',
          ({ code }) => code,
        )
      const read = (grant: string, accountId: typeof ann | null) =>
        codeOf(getGatedShare(fixture.ports, id, { grant, accountId }, true))
      return {
        read: [await read('', ann), await read('given', null), await read('', null)],
        reveal: await codeOf(revealShare(fixture.ports, id, { password: '', attempt: '' })),
        entered: [(await grant(id)) !== null, await fixture.ports.gates.addFailure(id)],
        data: (await find(id, { accountId: ann, accessGrantDigest: digestOf('given') }))?.data?.kind ?? null,
      }
    }
    const shut = (code: string) => ({
      ...{ read: [code, code, code], reveal: code, entered: [false, false], data: null },
    })
    const readable = { read: ['ok', 'ok', 'ok'], reveal: 'ok', entered: [true, true], data: 'document' }

    it('lets no one into a disabled share, nor into those of a suspended owner, and counts nothing', async () => {
      const { moderation } = fixture.ports
      const { id } = await add({ viewsMax: 5 }, null, { data: await documentData(fixture, ann) })
      await grant(id, 'given')
      await moderation.setDisabled(id, true, because)
      expect(await outcomes(id)).toEqual(shut('share_disabled'))
      await moderation.setSuspended(ann, true, 1)
      expect(await outcomes(id)).toEqual(shut('not_found'))
      await moderation.setDisabled(id, false, because)
      expect(await outcomes(id)).toEqual(shut('not_found'))
      expect((await find(id))?.record.gate).toMatchObject({ views: 1, viewsLeft: 4, failedPasswords: 0 })
      await moderation.setSuspended(ann, false, 2)
      expect(await outcomes(id)).toEqual(readable)
    })

    it('deletes the data and password of a share that was disabled for too long, and stays disabled', async () => {
      const { moderation } = fixture.ports
      const { id } = await add({ passwordHash: 'h', viewsMax: 1 })
      await moderation.setDisabled(id, true, because)
      await fixture.passTime((disabledDataDays + 1) * 24 * hour)
      expect(await moderation.purgeDisabled(10)).toBe(1)
      expect(await find(id)).toMatchObject({ purged: true, passwordHash: null, data: null })
      expect(await outcomes(id)).toEqual(shut('share_disabled'))
      expect(await events('share.data_deleted')).toHaveLength(1)
    })

    it('can be reported while someone may still read it, used up or not', async () => {
      const { gates, moderation } = fixture.ports
      const { id } = await add({ passwordHash: 'h', viewsMax: 1 })
      const report = (from: number) => {
        const reporter = new Uint8Array(32).fill(from)
        return reportShare(fixture.ports, {
          shareId: id,
          reason: 'phishing',
          message: '',
          email: '',
          reporter,
        })
      }
      await report(1)
      await grant(id)
      await report(2)
      expect((await moderation.find(id))?.openReports).toBe(2)
      await fixture.passTime(grantLife)
      await gates.purgeUsedUp(10)
      await expect(report(3)).rejects.toMatchObject({ code: 'share_used_up' })
      await moderation.setDisabled(id, true, because)
      await expect(report(4)).rejects.toMatchObject({ code: 'share_disabled' })
    })

    it('forgets a removed share with its grants', async () => {
      const { id } = await add({ viewsMax: 2 })
      await grant(id, 'one')
      expect(await fixture.ports.shares.remove(id, noCheck)).toBe(true)
      expect([await find(id, { accessGrantDigest: digestOf('one') }), await grant(id)]).toEqual([null, null])
    })

    it('adds views of reveals to the events of views', async () => {
      const { id } = await add({ viewsMax: 9 })
      await grant(id)
      await grant(id)
      await fixture.ports.shares.queueViewEvents(10)
      expect((await events('share.viewed')).map(({ detail }) => detail.views)).toEqual([2])
    })
  })
}

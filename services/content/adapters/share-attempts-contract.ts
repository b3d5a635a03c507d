import { beforeEach, describe, expect, it } from 'vitest'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { type RevealedShare, revealShare } from '../application/reveal-share.js'
import type { ShareId } from '../domain/ids.js'
import type { Share } from '../domain/share.js'
import type { NewGate } from '../domain/share-gate.js'
import { ann, type ContentFixture, shareDraft } from '../testing/content-fixture.js'

const grantLife = 600_000
const password = 'open sesame'
const passwordHash = `plain ${password}`

const because: OperatorDecision = {
  ...{ operatorId: 'operator', operatorName: 'op', reason: 'phishing', message: '', shownAs: null },
}

/** What every `ShareGateStore` promises to a call that is repeated with the same attempt. */
export function shareAttemptsContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let attempt: string
    const add = (gate: Partial<NewGate>): Promise<Share> => {
      const id = fixture.ports.ids.gatedShare()
      const wanted = { passwordHash: null, viewsMax: null, ...gate }
      return fixture.ports.shares.add(shareDraft(fixture, { id, gate: wanted }), () => null, null)
    }
    const reveal = (id: ShareId, given: string = attempt, word = ''): Promise<RevealedShare> =>
      revealShare(fixture.ports, id, { password: word, attempt: given })
    const codeOf = (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => 'ok',
        ({ code }) => code,
      )
    const digestOf = (grant: string): string => fixture.ports.hashing.sha256(grant)
    const find = (id: ShareId, grant = attempt) =>
      fixture.ports.gates.find(id, { includeData: true, accessGrantDigest: digestOf(grant), accountId: null })
    const gateOf = async (id: ShareId) => {
      const found = await find(id)
      return [found?.record.gate?.views, found?.record.gate?.viewsLeft, found?.access]
    }
    const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_none, n) => work(n)))

    beforeEach(async () => {
      fixture = await open()
      attempt = fixture.ports.ids.accessGrant()
    })

    it('of 20 concurrent calls uses up one view, and all get the same grant', async () => {
      for (const viewsMax of [1, 2, null]) {
        attempt = fixture.ports.ids.accessGrant()
        const { id } = await add({ viewsMax })
        const given = await atOnce(20, () => reveal(id))
        expect(new Set(given.map(({ grant }) => grant))).toEqual(new Set([attempt]))
        expect(new Set(given.map(({ expiresAt }) => expiresAt.getTime())).size).toBe(1)
        expect(await gateOf(id)).toEqual([1, viewsMax === null ? null : viewsMax - 1, 'grant'])
      }
      await fixture.ports.shares.queueViewEvents(10)
      const events = await fixture.ports.outbox.claim(500, 0)
      const viewed = events.filter(({ type }) => type === 'share.viewed')
      expect(viewed.map(({ detail }) => detail.views)).toEqual([1, 1, 1])
      expect(events.filter(({ type }) => type === 'share.used_up')).toHaveLength(1)
    })

    it('in turn gets the same grant with its own end, without the password or a further view', async () => {
      const { id } = await add({ passwordHash, viewsMax: 1 })
      expect(await codeOf(reveal(id, attempt, 'a wrong password'))).toBe('share_password_invalid')
      const first = await reveal(id, attempt, password)
      await fixture.passTime(60_000)
      const end = (await find(id))?.grantExpiresAt
      for (const word of [password, '', 'a wrong password']) {
        const again = await reveal(id, attempt, word)
        expect([again.grant, again.expiresAt, again.share.id]).toEqual([first.grant, end, id])
      }
      expect(await gateOf(id)).toEqual([1, 0, 'grant'])
      expect((await find(id))?.record.gate?.failedPasswords).toBe(1)
    })

    it('gets its grant while too many wrong passwords keep others out', async () => {
      const { id } = await add({ passwordHash })
      await reveal(id, attempt, password)
      await atOnce(20, () => fixture.ports.gates.addFailure(id))
      expect(await codeOf(reveal(id, fixture.ports.ids.accessGrant(), password))).toBe('rate_limited')
      expect((await reveal(id)).grant).toBe(attempt)
    })

    it('counts each of several attempts, and each call without one', async () => {
      const { id } = await add({ viewsMax: 20 })
      const given = await atOnce(20, (n) => reveal(id, n < 10 ? '' : fixture.ports.ids.accessGrant()))
      expect(new Set(given.map(({ grant }) => grant)).size).toBe(20)
      expect(await codeOf(reveal(id))).toBe('share_used_up')
      expect(await gateOf(id)).toEqual([20, 0, null])
    })

    it('of another share opens nothing, counts nothing, and disturbs nothing', async () => {
      const [one, other] = [await add({ viewsMax: 2 }), await add({ viewsMax: 2 })]
      const { expiresAt } = await reveal(one.id)
      expect(await codeOf(reveal(other.id))).toBe('unavailable')
      expect(await gateOf(other.id)).toEqual([0, 2, null])
      expect(await gateOf(one.id)).toEqual([1, 1, 'grant'])
      expect((await reveal(one.id)).expiresAt).toEqual(expiresAt)
      expect((await reveal(other.id, fixture.ports.ids.accessGrant())).share.gate?.viewsLeft).toBe(1)
    })

    it.each([false, true])(
      'counts a new view once its grant has ended, whether that was deleted: %s',
      async (deleted) => {
        const { id } = await add({ passwordHash, viewsMax: 3 })
        await reveal(id, attempt, password)
        await fixture.passTime(grantLife)
        if (deleted) expect(await fixture.ports.gates.deleteEndedAccessGrants(10)).toBe(1)
        expect(await codeOf(reveal(id))).toBe('share_password_invalid')
        await atOnce(10, () => reveal(id, attempt, password))
        expect(await gateOf(id)).toEqual([2, 1, 'grant'])
        await fixture.passTime(grantLife - 5_000)
        expect(await fixture.ports.gates.deleteEndedAccessGrants(10)).toBe(0)
        expect((await find(id))?.access).toBe('grant')
        const other = await add({ viewsMax: 3 })
        await fixture.passTime(5_000)
        expect((await reveal(other.id)).share.gate?.viewsLeft).toBe(2)
        expect(await gateOf(id)).toEqual([2, 1, null])
      },
    )

    it('gets no further than any other grant into a share that is used up, disabled, or of a suspended owner', async () => {
      const { gates, moderation } = fixture.ports
      const { id } = await add({ viewsMax: 1 })
      await reveal(id)
      await moderation.setDisabled(id, true, because)
      expect(await codeOf(reveal(id))).toBe('share_disabled')
      await moderation.setDisabled(id, false, because)
      await moderation.setSuspended(ann, true, 1)
      expect(await codeOf(reveal(id))).toBe('not_found')
      await moderation.setSuspended(ann, false, 2)
      expect(await codeOf(reveal(id))).toBe('ok')
      await fixture.passTime(grantLife)
      expect(await codeOf(reveal(id))).toBe('share_used_up')
      await gates.purgeUsedUp(10)
      expect(await codeOf(reveal(id))).toBe('share_used_up')
    })
  })
}

import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { eraseAccounts } from '../application/close-account.js'
import { type AccountId, accountId, newIdentity } from '../domain/account.js'
import { type DataService, dataServices } from '../domain/account-step.js'
import type { ErasedAccount, ErasureStore } from '../erasure-ports.js'
import type { AccountStore, ApiKeyStore, EventStore, OperatorAccounts } from '../ports.js'
import { randomIds } from './random-identity-ids.js'

/** Closing accounts over one technology. */
export interface ErasureFixture {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly events: EventStore
  readonly operator: OperatorAccounts
  readonly erasures: ErasureStore
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

const day = 86_400_000
const lease = 60_000
const digest = { digest: '61'.repeat(32), pepperVersion: 1 }
const days = { free: 30, pro: 90 }
const ann = newIdentity('https://issuer.example', 'ann')
const decision = { operatorId: 'o', operatorName: '', reason: 'spam', message: '', shownAs: null }
const profile = { email: 'ann@example.com', emailVerified: true, name: 'Ann', picture: null }

/** How every technology closes, restores and erases accounts. */
export function erasureStoreContract(name: string, open: () => Promise<ErasureFixture>): void {
  describe(name, () => {
    let fixture: ErasureFixture
    let erasures: ErasureStore
    let id: AccountId
    beforeEach(async () => {
      fixture = await open()
      erasures = fixture.erasures
      id = (await fixture.accounts.upsert(randomIds.account(), ann, profile, null)).id
    })
    const stepsOf = async (service: DataService) => erasures.claim(service, 10, lease)
    const finishAll = async (state: string): Promise<void> => {
      for (const service of dataServices)
        for (const step of await stepsOf(service)) {
          expect([step.accountId, step.state]).toEqual([id, state])
          await erasures.finish(step)
        }
    }
    const typesOf = async (account: AccountId) => {
      const filter = { accountId: account, type: null, subject: null, after: null, itemsMax: 100, days }
      return (await fixture.events.list(filter)).items.map(({ type }) => type)
    }
    const ledger = async (): Promise<ErasedAccount[]> => {
      const lines: ErasedAccount[] = []
      for await (const line of erasures.ledger()) lines.push(line)
      return lines
    }
    const addKey = async (): Promise<void> => {
      const shown = { name: 'CI', prefix: 'snk_AbCd', last4: 'wxyz', expiresInSeconds: null }
      const draft = { ...shown, id: randomIds.apiKey(), accountId: id, scopes: ['read'] as const, digest }
      await fixture.apiKeys.add(draft, () => null, null)
    }

    it('closes an account for its tokens and keys, and keeps the time of the first of ten calls', async () => {
      await addKey()
      const closed = await Promise.all(Array.from({ length: 10 }, () => erasures.close(id, 7)))
      const erasedAfter = closed[0]?.account.erasedAfter
      expect(closed.filter((one) => one?.changed)).toHaveLength(1)
      expect(erasedAfter).toBeInstanceOf(Date)
      for (const one of closed) expect([one?.account.erasedAfter, one?.version]).toEqual([erasedAfter, 1])
      expect((await fixture.accounts.find(ann))?.erasedAfter).toEqual(erasedAfter)
      expect((await fixture.apiKeys.resolve([digest]))?.account.erasedAfter).toEqual(erasedAfter)
      expect((await typesOf(id)).filter((type) => type === 'account.closed')).toHaveLength(1)
      expect(await erasures.close(accountId('nobody'), 7)).toBeNull()
      expect((await erasures.closing(10)).map(({ account }) => account.id)).toEqual([id])
    })

    it('tells content and billing of a closure, once each', async () => {
      await erasures.close(id, 7)
      const [step] = await stepsOf('content')
      expect(step).toMatchObject({ accountId: id, state: 'closed', hidden: true, hiddenVersion: 1 })
      expect(await stepsOf('content')).toEqual([])
      expect(await stepsOf('activity')).toEqual([])
      await fixture.passTime(lease + 1)
      expect(await stepsOf('content')).toEqual([step])
      if (step !== undefined) await erasures.finish(step)
      await fixture.passTime(lease + 1)
      expect(await stepsOf('content')).toEqual([])
      expect(await stepsOf('billing')).toHaveLength(1)
    })

    it('a step that fails comes again, later each time, and soon if it only needs more time', async () => {
      await erasures.close(id, 7)
      const [step] = await stepsOf('billing')
      if (step === undefined) throw new Error('no step')
      await erasures.postpone(step, false)
      await fixture.passTime(1_100)
      expect(await stepsOf('billing')).toHaveLength(1)
      for (const seconds of [1, 2, 4]) {
        await erasures.postpone(step, true)
        await fixture.passTime(seconds * 1_000 - 900)
        expect(await stepsOf('billing')).toEqual([])
        await fixture.passTime(1_000)
        expect(await stepsOf('billing')).toHaveLength(1)
      }
      expect(await erasures.queue()).toMatchObject({ waiting: 2, failing: 1 })
    })

    it('restores a closed account as it was, and takes back what services have not done yet', async () => {
      const before = await fixture.accounts.find(ann)
      await erasures.close(id, 7)
      const [old] = await stepsOf('content')
      expect(await erasures.restore(id)).toMatchObject({ account: before, version: 2, changed: true })
      expect(await erasures.restore(id)).toMatchObject({ account: before, version: 2, changed: false })
      if (old !== undefined) await erasures.finish(old)
      expect(await stepsOf('content')).toMatchObject([{ state: 'open', hidden: false, hiddenVersion: 2 }])
      expect((await typesOf(id)).sort()).toEqual(['account.closed', 'account.restored'])
      await fixture.passTime(30 * day)
      expect(await erasures.beginDue(10)).toBe(0)
      expect(await erasures.restore(accountId('nobody'))).toBeNull()
    })

    it('the shares of a suspended account stay hidden when it is restored', async () => {
      await fixture.operator.suspend(id, decision)
      await erasures.close(id, 7)
      await erasures.restore(id)
      expect(await stepsOf('content')).toMatchObject([{ state: 'open', hidden: true, hiddenVersion: 3 }])
    })

    it('tells content, and nobody else, of a suspension and of its end, once each', async () => {
      await fixture.operator.suspend(id, decision)
      const suspended = await stepsOf('content')
      expect(suspended).toMatchObject([{ accountId: id, state: 'open', hidden: true, hiddenVersion: 1 }])
      for (const service of ['activity', 'billing'] as const) expect(await stepsOf(service)).toEqual([])
      for (const step of suspended) await erasures.finish(step)
      await fixture.operator.suspend(id, decision)
      expect(await stepsOf('content')).toEqual([])
      await fixture.operator.resume(id, decision)
      expect(await stepsOf('content')).toMatchObject([{ state: 'open', hidden: false, hiddenVersion: 2 }])
    })

    it('a suspension leaves a closure that is under way as it is, and due, and is not lost when that ends', async () => {
      await erasures.close(id, 7)
      const [old] = await stepsOf('content')
      if (old !== undefined) await erasures.postpone(old, true)
      await fixture.operator.suspend(id, decision)
      if (old !== undefined) await erasures.finish(old)
      const steps = await stepsOf('content')
      expect(steps).toMatchObject([{ state: 'closed', version: 2, hidden: true, hiddenVersion: 2 }])
      expect(await stepsOf('billing')).toMatchObject([{ state: 'closed', version: 1 }])
      for (const step of steps) await erasures.finish(step)
      await fixture.operator.resume(id, decision)
      expect(await stepsOf('content')).toMatchObject([{ state: 'closed', hidden: true, hiddenVersion: 3 }])
    })

    it('a suspension neither replaces an erasure nor keeps it from ending', async () => {
      await erasures.close(id, 0)
      await fixture.passTime(1_000)
      await erasures.beginDue(10)
      await fixture.operator.suspend(id, decision)
      await finishAll('erased')
      await fixture.operator.resume(id, decision)
      for (const service of dataServices) expect(await stepsOf(service)).toEqual([])
      expect(await eraseAccounts({ erasures })).toBe(1)
    })

    it('erases an account when its time is over and every service has done its part', async () => {
      await addKey()
      await erasures.close(id, 7)
      await finishAll('closed')
      await fixture.passTime(7 * day - 60_000)
      expect(await erasures.beginDue(10)).toBe(0)
      await fixture.passTime(120_000)
      await expect(erasures.restore(id)).rejects.toMatchObject({ code: 'account_erased' })
      expect(await eraseAccounts({ erasures })).toBe(0)
      expect(await erasures.beginDue(10)).toBe(0)
      for (const service of dataServices) {
        expect(await eraseAccounts({ erasures })).toBe(0)
        expect((await fixture.accounts.find(ann))?.id).toBe(id)
        const [step] = await stepsOf(service)
        expect(step?.state).toBe('erased')
        if (step !== undefined) await erasures.finish(step)
      }
      expect(await eraseAccounts({ erasures })).toBe(1)
      expect(await fixture.accounts.find(ann)).toBeNull()
      expect(await fixture.apiKeys.resolve([digest])).toBeNull()
      const line = createHash('sha256').update(id).digest('hex')
      expect((await ledger()).map((one) => one.digest)).toEqual([line])
      expect(await eraseAccounts({ erasures })).toBe(0)
    })

    it('a sign-in after the erasure makes a new account, without the events of the old one', async () => {
      await erasures.close(id, 0)
      await fixture.passTime(1_000)
      await erasures.beginDue(10)
      await finishAll('erased')
      await Promise.all([eraseAccounts({ erasures }), eraseAccounts({ erasures })])
      const late = { kind: 'share', id: 's' } as const
      const event = {
        id: 'late',
        type: 'share.viewed',
        principal: { kind: 'anyone', id: null },
        subject: late,
      } as const
      await fixture.events.record([{ ...event, accountId: id, detail: {}, createdAt: new Date() }])
      const next = await fixture.accounts.upsert(randomIds.account(), ann, profile, null)
      expect(next.id).not.toBe(id)
      expect(await typesOf(next.id)).toEqual([])
      expect(await typesOf(id)).toEqual([])
    })

    it('erases again what a restored backup has brought back, and says when that is done', async () => {
      const lines = [{ digest: createHash('sha256').update(id).digest('hex'), erasedAt: new Date() }]
      expect(await erasures.countRestored()).toBe(0)
      expect(await erasures.applyLedger(lines, 7)).toEqual({ erasing: [id], renewed: 0 })
      expect(await erasures.applyLedger(lines, 7)).toEqual({ erasing: [], renewed: 0 })
      expect(await erasures.countRestored()).toBe(1)
      expect((await fixture.accounts.find(ann))?.erasedAfter).toBeInstanceOf(Date)
      await expect(erasures.restore(id)).rejects.toMatchObject({ code: 'account_erased' })
      await finishAll('erased')
      await eraseAccounts({ erasures })
      expect(await erasures.countRestored()).toBe(0)
      expect(await fixture.accounts.find(ann)).toBeNull()
      expect(await ledger()).toHaveLength(1)
    })

    it('a closing account that a backup has brought back has its whole time again, unless it was erased', async () => {
      const bob = newIdentity('https://issuer.example', 'bob')
      const other = (await fixture.accounts.upsert(randomIds.account(), bob, profile, null)).id
      await erasures.close(id, 7)
      await erasures.close(other, 7)
      await fixture.passTime(8 * day)
      const lines = [{ digest: createHash('sha256').update(id).digest('hex'), erasedAt: new Date() }]
      expect(await erasures.applyLedger(lines, 7)).toEqual({ erasing: [id], renewed: 1 })
      expect(await erasures.beginDue(10)).toBe(0)
      await fixture.passTime(day)
      const erasedAfter = (await fixture.accounts.find(bob))?.erasedAfter
      expect(await erasures.applyLedger(lines, 5)).toEqual({ erasing: [], renewed: 1 })
      expect((await fixture.accounts.find(bob))?.erasedAfter).toEqual(erasedAfter)
      await fixture.passTime(6 * day - 60_000)
      expect(await erasures.restore(other)).toMatchObject({ account: { id: other, erasedAfter: null } })
      await expect(erasures.restore(id)).rejects.toMatchObject({ code: 'account_erased' })
    })
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import { decidedAtTerminal, type OperatorDecision } from '#shared/core/audit-entry.js'
import { type AccountId, accountId, newIdentity } from '../domain/account.js'
import type { AccountStore, ApiKeyStore, AuditLog, OperatorAccounts } from '../ports.js'
import { randomIds } from './random-identity-ids.js'

/** The accounts of identity over one technology, as callers and as operators see them. */
export interface OperatorFixture {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly operator: OperatorAccounts
  readonly auditLog: AuditLog
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

const issuer = 'https://issuer.example'
const profile = { email: 'Ann@Example.com', emailVerified: true, name: 'Ann', picture: null }
const digest = { digest: '61'.repeat(32), pepperVersion: 1 }
const day = 86_400_000

function because(reason: string): OperatorDecision {
  return { operatorId: 'op', operatorName: 'op@example.com', reason, message: 'Sorry.', shownAs: null }
}

/** What every `OperatorAccounts` does, and what sign-ins and suspensions mean to callers. */
export function operatorAccountsContract(name: string, open: () => Promise<OperatorFixture>): void {
  describe(name, () => {
    let fixture: OperatorFixture
    let ann: AccountId

    const make = async (subject: string, email: string | null): Promise<AccountId> => {
      const identity = newIdentity(issuer, subject)
      return (await fixture.accounts.upsert(randomIds.account(), identity, { ...profile, email }, null)).id
    }
    const addKey = async (): Promise<void> => {
      const shown = { name: 'CI', prefix: 'snk_AbCd', last4: 'wxyz', expiresInSeconds: null }
      const draft = {
        ...shown,
        id: randomIds.apiKey(),
        accountId: ann,
        scopes: ['read'] as const,
        digest,
      }
      await fixture.apiKeys.add(draft, () => null, null)
    }
    const account = () => fixture.accounts.find(newIdentity(issuer, 'ann'))

    beforeEach(async () => {
      fixture = await open()
      ann = await make('ann', profile.email)
    })

    it('suspends an account for its tokens and its keys, and no other', async () => {
      await addKey()
      const bob = await make('bob', null)
      const record = await fixture.operator.suspend(ann, because('spam'))
      expect(record).toMatchObject({ account: { id: ann }, suspensionReason: 'spam', apiKeys: 1 })
      expect(record?.account.suspendedAt).toBeInstanceOf(Date)
      expect((await account())?.suspendedAt).toEqual(record?.account.suspendedAt)
      expect((await fixture.apiKeys.resolve([digest]))?.account.suspendedAt).toEqual(
        record?.account.suspendedAt,
      )
      const again = await fixture.accounts.upsert(
        ann,
        newIdentity(issuer, 'ann'),
        { ...profile, name: 'New' },
        null,
      )
      expect(again.suspendedAt).toEqual(record?.account.suspendedAt)
      const [other] = await fixture.operator.search(bob, 10)
      expect(other?.account.suspendedAt).toBeNull()
    })

    it('keeps the time of a suspension, and its reason until there is another', async () => {
      const first = await fixture.operator.suspend(ann, because('spam'))
      await fixture.passTime(0)
      expect(await fixture.operator.suspend(ann, decidedAtTerminal(''))).toEqual(first)
      expect(await fixture.operator.suspend(ann, because('fraud'))).toEqual({
        ...first,
        suspensionReason: 'fraud',
      })
    })

    it('resumes an account as if it had never been suspended', async () => {
      const before = await account()
      await fixture.operator.suspend(ann, because('spam'))
      expect(await fixture.operator.resume(ann, because('appeal'))).toMatchObject({
        account: before,
        suspensionReason: null,
      })
      expect(await account()).toEqual(before)
      expect(await fixture.operator.resume(ann, because('appeal'))).toMatchObject({ account: before })
    })

    it('finds no one by an unknown id', async () => {
      expect(await fixture.operator.suspend(accountId('nobody'), because('spam'))).toBeNull()
      expect(await fixture.operator.resume(accountId('nobody'), because('spam'))).toBeNull()
      expect(await fixture.operator.search('nobody', 10)).toEqual([])
    })

    it('finds accounts by id, by subject, and by an e-mail address in any case, which several may share', async () => {
      const other = await make('other', 'ann@example.COM')
      const ids = async (text: string, limit = 10) =>
        (await fixture.operator.search(text, limit)).map((record) => record.account.id).sort()
      expect(await ids('ann@example.com')).toEqual([ann, other].sort())
      expect(await ids('ann@example.com', 1)).toHaveLength(1)
      expect(await ids(ann)).toEqual([ann])
      expect(await ids('other')).toEqual([other])
      expect(await ids('%')).toEqual([])
      const [record] = await fixture.operator.search(ann, 1)
      expect(record).toMatchObject({ identity: { issuer, subject: 'ann' }, apiKeys: 0 })
    })

    it('counts suspensions and resumptions, and records each once with who and why', async () => {
      const versions = [
        await fixture.operator.suspend(ann, because('spam')),
        await fixture.operator.suspend(ann, because('spam')),
        await fixture.operator.resume(ann, because('appeal')),
        await fixture.operator.resume(ann, because('appeal')),
      ].map((record) => record?.suspensionVersion)
      expect(versions).toEqual([1, 1, 2, 2])
      const filter = { accountId: ann, subjectId: null, after: null, itemsMax: 1 }
      const newest = await fixture.auditLog.list(filter)
      expect(newest.items).toMatchObject([
        { action: 'account.resumed', operatorId: 'op', reason: 'appeal', message: 'Sorry.', accountId: ann },
      ])
      const rest = await fixture.auditLog.list({ ...filter, after: newest.next, itemsMax: 10 })
      expect(rest.items).toMatchObject([{ action: 'account.suspended', reason: 'spam' }])
      expect(rest.next).toBeNull()
    })

    it('ten operators who suspend an account at once record one entry', async () => {
      const all = Array.from({ length: 10 }, () => fixture.operator.suspend(ann, because('spam')))
      const records = await Promise.all(all)
      expect(new Set(records.map((record) => record?.suspensionVersion))).toEqual(new Set([1]))
      const filter = { accountId: ann, subjectId: null, after: null, itemsMax: 100 }
      expect((await fixture.auditLog.list(filter)).items).toHaveLength(1)
    })

    it('records a sign-in at most once a day, and reports its age for keys', async () => {
      await addKey()
      const idle = async () => (await fixture.apiKeys.resolve([digest]))?.ownerIdleMs ?? -1
      expect(await fixture.accounts.noteSignIn(ann)).toBe(false)
      expect((await account())?.signedInToday).toBe(true)
      await fixture.passTime(3 * day)
      expect((await account())?.signedInToday).toBe(false)
      expect(await idle()).toBeGreaterThanOrEqual(3 * day)
      expect(await Promise.all([1, 2, 3].map(() => fixture.accounts.noteSignIn(ann)))).toEqual(
        expect.arrayContaining([true, false, false]),
      )
      expect((await account())?.signedInToday).toBe(true)
      expect(await idle()).toBeLessThan(day)
      expect(await fixture.accounts.noteSignIn(accountId('nobody'))).toBe(false)
    })
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry, OperatorDecision } from '#shared/core/audit-entry.js'
import { eraseAccounts } from '../application/close-account.js'
import { type AccountId, newIdentity } from '../domain/account.js'
import { dataServices } from '../domain/account-step.js'
import type { ErasureStore } from '../erasure-ports.js'
import type { AccountStore, AuditLog, OperatorAccounts } from '../ports.js'
import { randomIds } from './random-identity-ids.js'

/** The audit log over one technology, with the accounts that it is about. */
export interface AuditLogFixture {
  readonly accounts: AccountStore
  readonly operator: OperatorAccounts
  readonly erasures: ErasureStore
  readonly auditLog: AuditLog
  /** Ages all accounts by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

const decision: OperatorDecision = {
  operatorId: 'op',
  operatorName: 'op@example.com',
  reason: 'spam',
  message: 'Sorry.',
  shownAs: null,
}

/** What another service wrote down about an account. */
function entryOf(accountId: string, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: randomIds.account(),
    action: 'share.disabled',
    operatorId: 'op',
    operatorName: 'op@example.com',
    subject: { kind: 'share', id: 'a-share' },
    accountId,
    reason: 'phishing',
    message: 'It imitates a bank.',
    detail: { title: 'A title', views: 2, until: null },
    createdAt: new Date('2030-01-01T00:00:00.123Z'),
    ...fields,
  }
}

/** What every `AuditLog` does. */
export function auditLogContract(name: string, open: () => Promise<AuditLogFixture>): void {
  describe(name, () => {
    let fixture: AuditLogFixture
    let ann: AccountId
    const make = async (subject: string): Promise<AccountId> => {
      const identity = newIdentity('https://issuer.example', subject)
      const profile = { email: null, emailVerified: false, name: null, picture: null }
      return (await fixture.accounts.upsert(randomIds.account(), identity, profile, null)).id
    }
    beforeEach(async () => {
      fixture = await open()
      ann = await make('ann')
    })
    const listed = async (accountId: string, subjectId: string | null = null) =>
      (await fixture.auditLog.list({ accountId, subjectId, after: null, itemsMax: 100 })).items
    const erase = async (id: AccountId): Promise<void> => {
      const { erasures } = fixture
      await erasures.close(id, 0)
      await fixture.passTime(1_000)
      await eraseAccounts({ erasures })
      for (const service of dataServices)
        for (const step of await erasures.claim(service, 10, 60_000)) await erasures.finish(step)
      await eraseAccounts({ erasures })
    }

    it('has an entry of another service as it was written down, once, however often it arrives', async () => {
      const entry = entryOf(ann)
      await Promise.all(Array.from({ length: 10 }, () => fixture.auditLog.record(entry)))
      await fixture.auditLog.record({ ...entry, reason: 'another' })
      expect(await listed(ann)).toEqual([entry])
    })

    it('lists entries of all services newest first, and by id at the same time, each on one page', async () => {
      const at = (ms: number) => new Date(Date.UTC(2031, 0, 1) + ms)
      const entries = [0, 3, 1, 3, 2, 0, 3].map((ms) => entryOf(ann, { createdAt: at(ms) }))
      for (const entry of entries) await fixture.auditLog.record(entry)
      await fixture.operator.suspend(ann, decision)
      const pages = async (itemsMax: number): Promise<AuditEntry[]> => {
        const seen: AuditEntry[] = []
        let after: Parameters<AuditLog['list']>[0]['after'] = null
        do {
          const page = await fixture.auditLog.list({ accountId: ann, subjectId: null, after, itemsMax })
          seen.push(...page.items)
          after = page.next
          // A late one belongs to a page that was read already, so it moves no other.
          if (after !== null)
            await fixture.auditLog.record(entryOf(ann, { createdAt: at(10_000 + seen.length) }))
        } while (after !== null)
        return seen
      }
      const keyOf = ({ createdAt, id }: AuditEntry): string => `${createdAt.toISOString()} ${id}`
      const seen = (await pages(2)).map(keyOf)
      expect(seen).toEqual(seen.toSorted().toReversed())
      expect(new Set(seen).size).toBe(8)
      for (const entry of entries) expect(seen).toContain(keyOf(entry))
      const whole = (await pages(100)).map(keyOf)
      expect(whole).toEqual(whole.toSorted().toReversed())
    })

    it('finds entries by their subject, within an account', async () => {
      const about = entryOf(ann, { subject: { kind: 'report', id: 'a-report' } })
      for (const entry of [about, entryOf(ann), entryOf('another', { subject: about.subject })])
        await fixture.auditLog.record(entry)
      expect(await listed(ann, 'a-report')).toEqual([about])
    })

    it('keeps nothing of an erased account but its digest, also of entries that arrive after it', async () => {
      const bob = await make('bob')
      const ids = ['early', 'late', 'byEarly', 'byLate'].map(() => randomIds.account())
      const [early = '', late = '', byEarly = '', byLate = ''] = ids
      const subject = { kind: 'account', id: ann } as const
      await fixture.auditLog.record(entryOf(ann, { id: early, subject }))
      await fixture.auditLog.record(entryOf(bob, { id: byEarly, operatorId: ann }))
      await erase(ann)
      await fixture.auditLog.record(entryOf(ann, { id: late, subject }))
      await fixture.auditLog.record(entryOf(bob, { id: byLate, operatorId: ann }))
      expect(await listed(ann)).toEqual([])
      const by = await listed(bob)
      expect(by.map(({ id }) => id).toSorted()).toEqual([byEarly, byLate].toSorted())
      const digest = by[0]?.operatorId ?? ''
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      for (const one of by)
        expect(one).toMatchObject({ operatorId: digest, operatorName: '', message: 'It imitates a bank.' })
      const about = await listed(digest)
      expect(about.map(({ id }) => id).toSorted()).toEqual([early, late].toSorted())
      for (const one of about)
        expect(one).toMatchObject({
          ...{ subject: { kind: 'account', id: digest }, message: '', detail: {} },
          ...{ operatorId: 'op', reason: 'phishing' },
        })
    })
  })
}

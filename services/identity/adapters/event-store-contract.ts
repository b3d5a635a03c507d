import { beforeEach, describe, expect, it } from 'vitest'
import { decidedAtTerminal } from '#shared/core/audit-entry.js'
import { type AccountId, newIdentity } from '../domain/account.js'
import type { AccountEvent } from '../domain/account-event.js'
import type { RecordedEvent } from '../domain/recorded-event.js'
import type { EventStore, OperatorAccounts } from '../ports.js'
import type { ApiKeyFixture } from './api-key-store-contract.js'
import { randomIds } from './random-identity-ids.js'

const untilDone = new AbortController().signal

/** The stores that record events, and the one that lists them. */
export interface EventFixture extends ApiKeyFixture {
  readonly events: EventStore
  readonly operator: OperatorAccounts
}

const profile = { email: null, emailVerified: false, name: null, picture: null }
const day = 86_400_000
const days = { free: 30, pro: 90 }

function hash(text: string) {
  return { digest: Buffer.from(text.padEnd(32, '.')).toString('hex'), pepperVersion: 1 }
}

/** What every `EventStore` does with the events that other stores record. */
export function eventStoreContract(name: string, open: () => Promise<EventFixture>): void {
  describe(name, () => {
    let fixture: EventFixture
    let ann: AccountId
    let made = 0

    beforeEach(async () => {
      fixture = await open()
      const identity = newIdentity('https://issuer.example', 'ann')
      ann = (await fixture.accounts.upsert(randomIds.account(), identity, profile, null)).id
    })

    const makeKey = async (
      secret: string,
      expiresInSeconds: number | null = null,
      accountId = ann,
      limit: number | null = null,
    ) => {
      made += 1
      const id = randomIds.apiKey()
      const shown = { prefix: 'snk_AAAA', last4: 'aaaa', digest: hash(secret) }
      const draft = { id, accountId, name: `CI ${made}`, scopes: ['read'] as const }
      await fixture.apiKeys.add({ ...draft, expiresInSeconds, ...shown }, () => limit, null)
      return id
    }
    const rotate = async (apiKeyId: Awaited<ReturnType<typeof makeKey>>, secret: string) => {
      const shown = { prefix: 'snk_BBBB', last4: 'bbbb', digest: hash(secret) }
      const how = { overlapSeconds: 60, begins: 'first-use' as const }
      await fixture.apiKeys.rotate({ apiKeyId, accountId: ann, ...how, ...shown }, () => {}, null)
    }
    const list = (filter: Partial<Parameters<EventStore['list']>[0]> = {}) =>
      fixture.events.list({
        ...{ accountId: ann, type: null, subject: null, after: null, itemsMax: 100, days },
        ...filter,
      })
    const types = async (filter: Partial<Parameters<EventStore['list']>[0]> = {}): Promise<string[]> =>
      (await list(filter)).items.map(({ type }) => type).toSorted()

    it('lists a key’s events from its creation to its end, and no one else’s', async () => {
      const id = await makeKey('a')
      await rotate(id, 'b')
      await fixture.apiKeys.resolve([hash('b')])
      await fixture.apiKeys.resolve([hash('b')])
      await fixture.apiKeys.endPrevious(ann, id)
      await fixture.apiKeys.remove(ann, id)
      expect(await types()).toEqual([
        'key.created',
        'key.deleted',
        'key.overlap_began',
        'key.previous_ended',
        'key.rotated',
      ])
      const [rotated] = (await list({ type: 'key.rotated' })).items
      expect(rotated).toMatchObject({
        accountId: ann,
        principal: { kind: 'owner', id: null },
        subject: { kind: 'api_key', id },
        detail: { prefix: 'snk_BBBB', last4: 'bbbb', overlap_seconds: 60, begins: 'first_use' },
      })
      const [began] = (await list({ type: 'key.overlap_began' })).items
      expect(began).toMatchObject({ principal: { kind: 'api_key', id } })
      expect(await types({ accountId: randomIds.account() })).toEqual([])
    })

    it('lists the revocation of a leaked key by its holder, and secrets that expired', async () => {
      const id = await makeKey('a')
      await rotate(id, 'b')
      await fixture.passTime(7 * day + 1_000)
      await fixture.apiKeys.forgetOld(untilDone)
      await fixture.apiKeys.revoke([hash('a')])
      const { items } = await list({ subject: id })
      const ended = items.filter(({ type }) => /revoked|expired/.test(type))
      const rows = ended.map(({ type, principal, detail }) => [type, principal.kind, detail.ended])
      // Both may have the same time.
      expect(rows.toSorted()).toEqual([
        ['key.revoked', 'key_holder', 'key'],
        ['key.secret_expired', 'system', undefined],
      ])
    })

    it('records once a day that a previous secret is still used', async () => {
      const id = await makeKey('a')
      const use = (secret: number, date: string) => ({
        ...{ apiKeyId: id, secret, date, requests: 1, errors: 0 },
        lastUsedAt: new Date(`${date}T10:00:00Z`),
      })
      await fixture.apiKeys.addUsage('1', [use(1, '2030-05-01')])
      await rotate(id, 'b')
      await fixture.apiKeys.addUsage('2', [use(1, '2030-05-01'), use(2, '2030-05-01')])
      await fixture.apiKeys.addUsage('3', [use(1, '2030-05-01')])
      await fixture.apiKeys.addUsage('4', [use(1, '2030-05-02'), use(0, '2030-05-02')])
      expect(await types({ type: 'key.old_secret_used' })).toHaveLength(2)
    })

    it('records reminders fourteen and three days before a key expires, and its expiry, each once', async () => {
      await makeKey('long', 20 * 86_400)
      await makeKey('short', 5 * 86_400)
      const remind = async () => {
        await fixture.events.remind(untilDone)
        await fixture.events.remind(untilDone)
        return types({ type: 'key.expires_soon' })
      }
      expect(await remind()).toHaveLength(0)
      await fixture.passTime(3 * day)
      expect(await remind()).toHaveLength(1)
      await fixture.passTime(3 * day + 60_000)
      expect(await remind()).toHaveLength(2)
      expect(await types({ type: 'key.expired' })).toHaveLength(1)
      await fixture.passTime(12 * day)
      expect(await remind()).toHaveLength(3)
      const { items } = await list({ type: 'key.expires_soon' })
      expect(items.map(({ detail }) => detail.days).toSorted()).toEqual([14, 3, 3])
      expect(items[0]).toMatchObject({ principal: { kind: 'system' }, detail: { name: expect.any(String) } })
    })

    it('records once a day and account that the limit of keys became near', async () => {
      const { apiKeys, accounts } = fixture
      const add = async (owner: AccountId, limit: number | null = 5) => {
        const id = await makeKey(`near ${made}`, null, owner, limit)
        return () => apiKeys.remove(owner, id)
      }
      const near = (owner = ann) => list({ accountId: owner, type: 'limit' })
      for (let n = 0; n < 3; n += 1) await add(ann)
      await add(ann, null)
      expect((await near()).items).toEqual([])
      const other = newIdentity('https://issuer.example', 'bob')
      const bob = (await accounts.upsert(randomIds.account(), other, profile, null)).id
      const removals = await Promise.all(Array.from({ length: 4 }, () => add(bob)))
      await removals[0]?.()
      await add(bob)
      await add(bob)
      const { items } = await near(bob)
      expect(items).toMatchObject([
        {
          accountId: bob,
          type: 'limit.near',
          principal: { kind: 'system', id: null },
          subject: { kind: 'account', id: bob },
          detail: { limit: 'api_keys', used: 4, of: 5 },
        },
      ])
      expect(items[0]?.id).toMatch(/^near-api_keys-\d{4}-\d\d-\d\d$/)
      for (let n = 0; n < 3; n += 1) await add(ann, 7)
      expect((await near()).items).toMatchObject([{ detail: { limit: 'api_keys', used: 6, of: 7 } }])
    })

    it('records plan changes and suspensions when they change, and not when repeated', async () => {
      await fixture.accounts.setPlan(ann, 'pro', 1)
      await fixture.accounts.setPlan(ann, 'pro', 2)
      await fixture.accounts.setPlan(ann, 'free', 1)
      await fixture.operator.suspend(ann, decidedAtTerminal('spam'))
      await fixture.operator.suspend(ann, decidedAtTerminal('more spam'))
      await fixture.operator.resume(ann, decidedAtTerminal('sorry'))
      await fixture.operator.resume(ann, decidedAtTerminal('sorry'))
      expect(await types()).toEqual(['account.plan_changed', 'account.resumed', 'account.suspended'])
      const [changed] = (await list({ type: 'account.plan_changed' })).items
      expect(changed).toMatchObject({
        principal: { kind: 'system' },
        subject: { kind: 'account', id: ann },
        detail: { from: 'free', to: 'pro' },
      })
      expect(JSON.stringify((await list()).items)).not.toContain('spam')
    })

    it('records a plan that an operator gave, also where it changes nothing, and once', async () => {
      const until = new Date('2031-01-01T00:00:00.000Z')
      const grant = { until, message: 'Thank you.', shownAs: null }
      await fixture.accounts.setPlan(ann, 'pro', 1, grant)
      await fixture.accounts.setPlan(ann, 'pro', 1, grant)
      await fixture.accounts.setPlan(ann, 'pro', 2, { ...grant, message: '', shownAs: 'ops@example.com' })
      expect([...(await types())].sort()).toEqual(['account.plan_changed', 'plan.granted', 'plan.granted'])
      const granted = (await list({ type: 'plan.granted' })).items
      expect(granted.map(({ detail }) => detail)).toEqual(
        expect.arrayContaining([
          { plan: 'pro', until: until.toISOString(), operator: 'ops@example.com' },
          { plan: 'pro', until: until.toISOString(), message: 'Thank you.' },
        ]),
      )
    })

    it('records events of other services once, with the time they give but never a future one', async () => {
      await makeKey('a')
      await fixture.passTime(3_600_000)
      const past = (await list()).items[0]?.createdAt
      if (past === undefined) throw new Error('no event of the key')
      const recorded = (id: string, createdAt: Date): RecordedEvent => ({
        ...{ accountId: ann, id, type: 'share.viewed', createdAt, detail: { title: 'ü"', views: 2 } },
        principal: { kind: 'anyone', id: null },
        subject: { kind: 'share', id: 's1' },
      })
      const batch = [recorded('b', new Date(Date.UTC(2100, 0, 1))), recorded('a', past)]
      await Promise.all([fixture.events.record(batch), fixture.events.record(batch.toReversed())])
      const { items } = await list({ type: 'share' })
      expect(items.map(({ id }) => id)).toEqual(['b', 'a'])
      expect(items[0]?.createdAt.getTime()).toBeLessThan(Date.UTC(2099, 0, 1))
      expect(items[1]).toEqual({ ...recorded('a', past) })
    })

    it('records nothing of a change that was rejected', async () => {
      const refuse = (): never => {
        throw new Error('no')
      }
      const shown = { prefix: 'snk_AAAA', last4: 'aaaa', digest: hash('x') }
      const draft = { id: randomIds.apiKey(), accountId: ann, name: 'CI', scopes: ['read'] as const }
      await expect(
        fixture.apiKeys.add({ ...draft, expiresInSeconds: null, ...shown }, refuse, null),
      ).rejects.toThrow()
      expect(await types()).toEqual([])
    })

    it('lists the newest first, page by page, by type, by group and by subject', async () => {
      const ids = []
      for (let n = 0; n < 7; n += 1) {
        ids.push(await makeKey(`key ${n}`))
        await fixture.passTime(1_000)
      }
      await fixture.accounts.setPlan(ann, 'pro', 1)
      const all: AccountEvent[] = []
      let after: AccountEvent | null = null
      do {
        const page: Awaited<ReturnType<EventStore['list']>> = await list({ after, itemsMax: 3 })
        all.push(...page.items)
        after = page.next === null ? null : (page.items.at(-1) ?? null)
      } while (after !== null)
      expect(all.map(({ subject }) => subject.id)).toEqual([ann, ...ids.toReversed()])
      expect(await types({ type: 'key' })).toHaveLength(7)
      expect(await types({ type: 'ke' })).toEqual([])
      expect(await types({ type: 'account.plan_changed' })).toHaveLength(1)
      expect(await types({ subject: ids[2] ?? null })).toEqual(['key.created'])
    })

    it('keeps 30-day-old events for Pro and not for Free, and nothing longer than 90', async () => {
      await makeKey('a')
      await fixture.passTime(30 * day + 1_000)
      expect(await types()).toEqual([])
      await fixture.accounts.setPlan(ann, 'pro', 1)
      expect(await types()).toEqual(['account.plan_changed', 'key.created'])
      expect(await fixture.events.trim(days, untilDone)).toBe(0)
      await fixture.passTime(60 * day)
      expect(await types()).toEqual(['account.plan_changed'])
      expect(await fixture.events.trim(days, untilDone)).toBe(1)
      await fixture.accounts.setPlan(ann, 'free', 2)
      expect(await fixture.events.trim(days, untilDone)).toBe(1)
      expect(await types()).toEqual(['account.plan_changed'])
    })
  })
}

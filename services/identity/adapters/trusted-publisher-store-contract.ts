import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { type AccountId, newIdentity } from '../domain/account.js'
import type { Assertion, JobDecision } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherDraft } from '../domain/trusted-publisher.js'
import type { AccountStore, TrustedPublisherStore } from '../ports.js'
import { randomIds } from './random-identity-ids.js'

const untilDone = new AbortController().signal

/** Identity's stores on one technology. */
export interface TrustedPublisherFixture {
  readonly accounts: AccountStore
  readonly trustedPublishers: TrustedPublisherStore
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

const profile = { email: null, emailVerified: false, name: null, picture: null }
const minute = 60_000

/** What every `TrustedPublisherStore` does. */
export function trustedPublisherStoreContract(
  name: string,
  open: () => Promise<TrustedPublisherFixture>,
): void {
  describe(name, () => {
    let fixture: TrustedPublisherFixture
    let store: TrustedPublisherStore
    let ann: AccountId

    const account = async (subject: string): Promise<AccountId> => {
      const identity = newIdentity('https://issuer.example', subject)
      return (await fixture.accounts.upsert(randomIds.account(), identity, profile, null)).id
    }
    const hash = (text: string) => ({
      digest: Buffer.from(text.padEnd(32, '.')).toString('hex'),
      pepperVersion: 1,
    })
    const draft = (fields: Partial<TrustedPublisherDraft> = {}): TrustedPublisherDraft => ({
      id: randomIds.trustedPublisher(),
      accountId: ann,
      name: 'Releases ü',
      issuer: 'https://ci.example',
      provider: 'github',
      repository: 'acme/website',
      claims: { repository_id: '74', 'oidc.example.com/x': 'y "z"' },
      events: ['push'],
      scopes: ['read', 'write'],
      ttlSeconds: 900,
      ...fields,
    })
    const anyNumber = (): null => null
    const add = async (fields: Partial<TrustedPublisherDraft> = {}): Promise<TrustedPublisher> => {
      const added = await store.add(draft(fields), anyNumber, null)
      if (added.state !== 'added') throw new Error('replayed instead of added')
      return added.added
    }
    const assertion = (text: string, fields: Partial<Assertion> = {}): Assertion => ({
      issuer: 'https://ci.example',
      claims: {},
      fault: null,
      digest: hash(text).digest,
      expiresAt: new Date(Date.UTC(2100, 0, 1)),
      ...fields,
    })
    const good: JobDecision = {
      reason: null,
      claim: null,
      shown: { ref: 'main' },
      ofRepository: true,
      pin: {},
    }
    const exchange = (
      { id }: Pick<TrustedPublisher, 'id'>,
      text: string,
      judgement: Partial<JobDecision> = {},
      token = `token ${text}`,
    ) =>
      store.exchange(id, assertion(text), () => ({ ...good, ...judgement }), {
        digest: hash(token),
        eventId: randomIds.publisherEvent(),
      })
    const holder = (token: string) => store.resolve([hash(token)])

    beforeEach(async () => {
      fixture = await open()
      store = fixture.trustedPublishers
      ann = await account('ann')
    })

    it('returns what was stored, of one account only and newest first', async () => {
      const wanted = draft()
      const added = await store.add(wanted, anyNumber, null)
      const first = added.state === 'added' ? added.added : null
      expect(first).toEqual({
        ...wanted,
        createdAt: first?.createdAt,
        lastUsedAt: null,
        requestCount: 0,
        disabledAt: null,
      })
      const second = await add({ provider: 'other', repository: '', events: [], scopes: ['read'] })
      await add({ accountId: await account('bob') })
      expect(new Set(await store.list(ann))).toEqual(new Set([second, first]))
      expect(await store.find(wanted.id)).toEqual(first)
      expect(await store.find(randomIds.trustedPublisher())).toBeNull()
      expect(await store.remove(await account('bob'), wanted.id)).toBe(false)
      expect(await store.remove(ann, wanted.id)).toBe(true)
      expect(await store.remove(ann, wanted.id)).toBe(false)
    })

    it('admits exactly five of thirty parallel requests', async () => {
      const limit = (_plan: string, held: number): number => {
        if (held >= 5) throw new Error('enough')
        return 5
      }
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, () => store.add(draft(), limit, null)),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
      expect(await store.list(ann)).toHaveLength(5)
    })

    it('adds one rule per idempotency key, for a day', async () => {
      const seal = ({ id }: TrustedPublisher) => ({ fingerprint: 'f', sealed: Buffer.from(id) })
      const request = { digest: hash('key').digest, seal }
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => store.add(draft(), anyNumber, request)),
      )
      expect(outcomes.filter(({ state }) => state === 'added')).toHaveLength(1)
      await fixture.passTime(idempotencyKeyLifeMs + minute)
      expect(await store.add(draft(), anyNumber, request)).toMatchObject({ state: 'added' })
    })

    it('accepts an assertion once, also in parallel and for different rules', async () => {
      const [one, other] = [await add(), await add()]
      const tries = Array.from({ length: 30 }, (_none, n) => exchange(n % 2 === 0 ? one : other, 'once'))
      const issued = (await Promise.all(tries)).filter((tried) => tried?.state === 'issued')
      expect(issued).toHaveLength(1)
      expect(await exchange(one, 'once')).toEqual({ state: 'refused' })
      expect((await store.events(one.id))[0]).toMatchObject({ reason: 'assertion_used', shown: good.shown })
      expect(await exchange(one, 'another', {}, 'a token')).toMatchObject({
        state: 'issued',
        publisher: { id: one.id },
      })
    })

    it('does not use up a rejected assertion', async () => {
      const rule = await add()
      expect(await exchange(rule, 'later', { reason: 'not_pinned' })).toEqual({ state: 'refused' })
      expect(await exchange(rule, 'later')).toMatchObject({ state: 'issued' })
    })

    it('calls `decide` with the current rule and owner', async () => {
      const rule = await add()
      await fixture.accounts.setPlan(ann, 'pro', 1)
      const seen: unknown[] = []
      const judge = (publisher: TrustedPublisher, owner: { readonly account: { readonly plan: string } }) => {
        seen.push([publisher, owner.account.plan])
        return good
      }
      await store.exchange(rule.id, assertion('x'), judge, { digest: hash('t'), eventId: 'e' })
      expect(seen).toEqual([[rule, 'pro']])
      expect(await exchange({ id: randomIds.trustedPublisher() }, 'y')).toBeNull()
    })

    it('finds the account of a token until it expires, and deletes what has expired', async () => {
      const rule = await add({ ttlSeconds: 60 })
      await exchange(rule, 'a', {}, 'short')
      const found = await holder('short')
      expect(found).toMatchObject({
        account: { id: ann },
        publisher: { id: rule.id, scopes: ['read', 'write'] },
      })
      expect(found?.timeLeftMs).toBeGreaterThan(30_000)
      expect(found?.timeLeftMs).toBeLessThanOrEqual(60_000)
      expect(await store.resolve([hash('other'), hash('short')])).not.toBeNull()
      expect(await holder('other')).toBeNull()
      await fixture.passTime(minute)
      expect(await holder('short')).toBeNull()
      expect(await store.forgetExpired(untilDone)).toBe(1)
      expect(await store.forgetExpired(untilDone)).toBe(0)
    })

    it('keeps a used assertion ten minutes past its expiry, for gateways whose clocks are slow', async () => {
      const rule = await add({ ttlSeconds: 60 })
      const now = await timeOfStore(rule)
      const soon = assertion('soon', { expiresAt: new Date(now.getTime() + minute) })
      const judge = () => good
      const token = (n: string) => ({ digest: hash(n), eventId: n })
      expect((await store.exchange(rule.id, soon, judge, token('1')))?.state).toBe('issued')
      await fixture.passTime(5 * minute)
      await store.forgetExpired(untilDone)
      expect((await store.exchange(rule.id, soon, judge, token('2')))?.state).toBe('refused')
      await fixture.passTime(10 * minute)
      expect(await store.forgetExpired(untilDone)).toBe(1)
    })

    /** The time by the store's clock. */
    async function timeOfStore({ id }: TrustedPublisher): Promise<Date> {
      await exchange({ id }, 'clock', { reason: 'disabled' })
      return (await store.events(id))[0]?.at ?? new Date(0)
    }

    it('ends the tokens of a rule that is disabled or deleted, and those of a changed one if asked', async () => {
      const rule = await add()
      await exchange(rule, 'a', {}, 'first')
      const renamed = await store.update(rule.id, (one) => ({ ...one, name: 'New' }), false)
      expect(renamed).toEqual({ ...rule, name: 'New' })
      expect(await store.find(rule.id)).toEqual(renamed)
      expect(await holder('first')).not.toBeNull()
      const claims = { repository_id: '75' }
      await store.update(rule.id, (one) => ({ ...one, claims, events: [], scopes: ['read'] }), true)
      expect(await holder('first')).toBeNull()
      expect(await store.find(rule.id)).toMatchObject({ claims, events: [], scopes: ['read'] })
      await exchange(rule, 'b', {}, 'second')
      await store.update(rule.id, (one, now) => ({ ...one, disabledAt: now }), false)
      expect(await holder('second')).toBeNull()
      await store.update(rule.id, (one) => ({ ...one, disabledAt: null }), false)
      expect(await holder('second')).not.toBeNull()
      await store.remove(ann, rule.id)
      expect(await holder('second')).toBeNull()
      expect(await store.update(rule.id, (one) => one, true)).toBeNull()
    })

    it('ends a single token for its holder', async () => {
      const rule = await add()
      await exchange(rule, 'a', {}, 'mine')
      await exchange(rule, 'b', {}, 'kept')
      expect(await store.revoke([hash('nobody')])).toBeNull()
      expect(await store.revoke([hash('mine')])).toBe(ann)
      expect(await store.revoke([hash('mine')])).toBeNull()
      expect(await holder('mine')).toBeNull()
      expect(await holder('kept')).not.toBeNull()
    })

    it('keeps the newest 50 events of its repository and 10 of others, however many others there are', async () => {
      const rule = await add()
      for (let n = 0; n < 55; n += 1) await exchange(rule, `own ${n}`, { claim: `${n}`, reason: 'expired' })
      for (let n = 0; n < 30; n += 1)
        await exchange(rule, `other ${n}`, {
          reason: 'other_repository',
          ofRepository: false,
          pin: { a: 'b' },
        })
      const events = await store.events(rule.id)
      expect(events.filter(({ ofRepository }) => ofRepository)).toHaveLength(50)
      expect(events.filter(({ ofRepository }) => !ofRepository)).toHaveLength(10)
      expect(events[0]).toMatchObject({ reason: 'other_repository', pin: { a: 'b' }, shown: { ref: 'main' } })
      expect(events.at(-1)).toMatchObject({ claim: '5', reason: 'expired' })
      const times = events.map(({ at }) => at.getTime())
      expect(times).toEqual([...times].sort((a, b) => b - a))
    })

    it('adds each batch of counts once, and skips deleted rules', async () => {
      const rule = await add()
      const [early, late] = [new Date(Date.UTC(2030, 0, 2)), new Date(Date.UTC(2030, 0, 3))]
      const use = { publisherId: rule.id, requests: 3, lastUsedAt: late }
      const gone = { ...use, publisherId: randomIds.trustedPublisher() }
      expect(await store.addUsage('one', [use, gone])).toBe(true)
      expect(await store.addUsage('one', [use])).toBe(false)
      expect(await store.addUsage('two', [{ ...use, requests: 1, lastUsedAt: early }])).toBe(true)
      expect(await store.find(rule.id)).toMatchObject({ requestCount: 4, lastUsedAt: late })
    })
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import { withSubscription, withUnwanted } from '../domain/billing-account.js'
import { closed } from '../domain/checkout.js'
import { accountId, checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import { graceMs } from '../domain/subscription.js'
import { ann, type BillingFixture, bob, dayMs, subscriptionAt } from '../testing/billing-fixture.js'
import { newAccount } from '../testing/new-account.js'

const customer = customerId('cus_ann')

/** The behaviour of every `BillingAccountStore`. */
export function accountStoreContract(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let fixture: BillingFixture
    beforeEach(async () => {
      fixture = await open()
    })
    const subscribe = (id = ann, emailKey: string | null = null, fields = {}) =>
      fixture.accounts.update(id, (account, now) =>
        withSubscription({ ...account, emailKey }, subscriptionAt(now, fields), now),
      )

    it('returns what was saved, and defaults for an unknown account', async () => {
      expect(await fixture.accounts.find(ann)).toEqual(newAccount(ann))
      expect(await fixture.accounts.accountOf(customer)).toBeNull()
      const now = await fixture.now()
      const full = {
        ...newAccount(ann),
        customerId: customer,
        emailKey: 'ann@example.com',
        plan: 'pro' as const,
        planVersion: 1,
        subscription: subscriptionAt(now, { status: 'past_due', overdueSince: now, cancelAtPeriodEnd: true }),
        checkout: {
          state: 'open' as const,
          number: 3,
          interval: 'year' as const,
          successUrl: 'https://a.example/s',
          cancelUrl: 'https://a.example/c',
          startedAt: now,
          id: checkoutId('cs_1'),
          url: 'https://pay.example/cs_1',
          expiresAt: new Date(now.getTime() + dayMs),
        },
        unwanted: [subscriptionId('sub_0')],
      }
      expect(await fixture.accounts.update(ann, () => full)).toEqual({ state: 'saved', account: full })
      expect(await fixture.accounts.find(ann)).toEqual(full)
      expect(await fixture.another().accounts.accountOf(customer)).toBe(ann)
      const over = { ...full, checkout: closed(full.checkout), unwanted: [] }
      await fixture.accounts.update(ann, () => over)
      expect(await fixture.accounts.find(ann)).toEqual(over)
    })

    it('saves nothing if the change returns its input or throws', async () => {
      const none = await fixture.accounts.update(ann, (account) => account)
      expect(none).toEqual({ state: 'saved', account: newAccount(ann) })
      const failed = fixture.accounts.update(ann, () => {
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await fixture.accounts.find(ann)).toEqual(newAccount(ann))
    })

    it('loses none of many concurrent changes by two processes', async () => {
      const add = async (n: number): Promise<void> => {
        const { accounts } = n % 2 === 0 ? fixture : fixture.another()
        await accounts
          .update(ann, (account) => withUnwanted(account, subscriptionId(`sub_${n}`)))
          .catch(() => add(n))
      }
      await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
      expect((await fixture.accounts.find(ann)).unwanted).toHaveLength(12)
    })

    it('allows one ongoing subscription per e-mail address, and names its owner', async () => {
      const id = subscriptionId('sub_2')
      expect((await subscribe(ann, 'x@example.com')).state).toBe('saved')
      const taken = await subscribe(bob, 'x@example.com', { id })
      expect(taken).toEqual({ state: 'email-taken', by: { accountId: ann, subscriptionId: 'sub_1' } })
      expect((await fixture.accounts.find(bob)).subscription).toBeNull()
      expect(await fixture.accounts.subscriberWith('x@example.com')).toMatchObject({ accountId: ann })
      await subscribe(ann, 'x@example.com', { status: 'canceled' })
      expect(await fixture.accounts.subscriberWith('x@example.com')).toBeNull()
      expect((await subscribe(bob, 'x@example.com', { id })).state).toBe('saved')
      expect((await fixture.accounts.subscribers()).map((one) => one.accountId)).toEqual([bob])
    })

    it('allows any number of subscriptions for unverified addresses', async () => {
      expect((await subscribe(ann)).state).toBe('saved')
      expect((await subscribe(bob, null, { id: subscriptionId('sub_2') })).state).toBe('saved')
    })

    it('allows one of 50 concurrent subscriptions with one address', async () => {
      const updates = await Promise.all(
        Array.from({ length: 50 }, (_, n) => {
          const { accounts } = n % 2 === 0 ? fixture : fixture.another()
          return accounts.update(accountId(`user${n}`), (account, now) =>
            withSubscription(
              { ...account, emailKey: 'y@example.com' },
              subscriptionAt(now, { id: subscriptionId(`sub_${n}`) }),
              now,
            ),
          )
        }),
      )
      expect(updates.filter(({ state }) => state === 'saved')).toHaveLength(1)
      expect(await fixture.accounts.subscribers()).toHaveLength(1)
    })

    it('leases due accounts to one worker at a time, until they have been checked', async () => {
      await fixture.accounts.update(ann, (account, now) => {
        const overdueSince = new Date(now.getTime() - graceMs + 60_000)
        return withSubscription(account, subscriptionAt(now, { status: 'past_due', overdueSince }), now)
      })
      expect(await fixture.accounts.claimDue(10, 15_000)).toEqual([])
      await fixture.passTime(60_001)
      expect(await fixture.accounts.claimDue(10, 15_000)).toEqual([ann])
      expect(await fixture.another().accounts.claimDue(10, 15_000)).toEqual([])
      await fixture.passTime(15_001)
      expect(await fixture.accounts.claimDue(10, 15_000)).toEqual([ann])
      await subscribe(ann)
      await fixture.passTime(15_001)
      expect(await fixture.accounts.claimDue(10, 15_000)).toEqual([])
    })

    it('leases duplicates to one worker at a time, until they are refunded', async () => {
      const both = [subscriptionId('sub_8'), subscriptionId('sub_9')]
      await fixture.accounts.update(ann, (account) => ({ ...account, unwanted: both }))
      const claimed = await fixture.accounts.claimUnwanted(1, 15_000)
      const rest = await fixture.another().accounts.claimUnwanted(5, 15_000)
      expect([...claimed, ...rest].map((one) => one.subscriptionId).sort()).toEqual(both)
      expect(await fixture.accounts.claimUnwanted(5, 15_000)).toEqual([])
      await fixture.accounts.update(ann, (account) => ({ ...account, unwanted: [subscriptionId('sub_9')] }))
      await fixture.passTime(15_001)
      const again = await fixture.accounts.claimUnwanted(5, 15_000)
      expect(again).toEqual([{ accountId: ann, subscriptionId: 'sub_9' }])
    })
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSubscription } from '../domain/billing-account.js'
import { accountId, subscriptionId } from '../domain/ids.js'
import { sequence, subscriptionAt } from '../testing/billing-fixture.js'
import { openPostgresBilling, type PostgresBilling } from '../testing/postgres-billing.js'

let fixture: PostgresBilling

beforeAll(async () => {
  fixture = await openPostgresBilling('billing_outbox')
})
afterAll(() => fixture?.close())

const accounts = 134
const changes = 10
const leaseMs = 60

it('4,000 deliveries by 20 crashing workers are each applied once, in the order of their account', async () => {
  const next = sequence(5)
  /** The versions that each receiver applied; like the real ones, it ignores older versions. */
  const held = new Map<string, number[]>()
  const receive = ({
    accountId: id,
    receiver,
    version,
  }: {
    accountId: string
    receiver: string
    version: number
  }) => {
    const key = `${id} ${receiver}`
    const applied = held.get(key) ?? []
    if (version > (applied.at(-1) ?? 0)) held.set(key, [...applied, version])
  }
  let left = true
  const worker = async (n: number): Promise<void> => {
    const { outbox } = n % 2 === 0 ? fixture : fixture.another()
    for (let idle = 0; left || idle < 3; ) {
      const claimed = await outbox.claim(10, leaseMs)
      idle = claimed.length === 0 ? idle + 1 : 0
      if (claimed.length === 0) await sleep(leaseMs)
      for (const delivery of claimed) {
        const fate = next()
        // Dies before the call, dies after it, is postponed, or succeeds.
        if (fate < 0.05) break
        receive(delivery)
        if (fate < 0.1) break
        await (fate < 0.15 ? outbox.postpone(delivery) : outbox.finish(delivery))
      }
    }
  }
  const workers = Array.from({ length: 20 }, (_, n) => worker(n))
  const subscriber = async (n: number): Promise<void> => {
    const id = accountId(`a${n}`)
    for (let change = 0; change < changes; change += 1) {
      const { accounts: store } = change % 2 === 0 ? fixture : fixture.another()
      await store.update(id, (account, now) => {
        const status = account.plan === 'pro' ? 'canceled' : 'active'
        const fields = { id: subscriptionId(`sub_${n}`), status } as const
        return withSubscription(account, subscriptionAt(now, fields), now)
      })
    }
  }
  for (let from = 0; from < accounts; from += 6) {
    await Promise.all(Array.from({ length: Math.min(6, accounts - from) }, (_, n) => subscriber(from + n)))
  }
  const expected = Array.from({ length: changes }, (_, n) => n + 1)
  const complete = () =>
    held.size === accounts * 3 && [...held.values()].every((applied) => applied.length === changes)
  for (const until = Date.now() + 60_000; !complete() && Date.now() < until; ) await sleep(50)
  left = false
  await Promise.all(workers)
  expect(held.size * changes).toBeGreaterThanOrEqual(4_000)
  await fixture.passTime(60_000)
  // The last deliveries may have been postponed until after the workers ended.
  for (const delivery of await fixture.outbox.claim(accounts * 3, leaseMs)) {
    receive(delivery)
    await fixture.outbox.finish(delivery)
  }
  for (const applied of held.values()) expect(applied).toEqual(expected)
  await fixture.passTime(60_000)
  expect(await fixture.outbox.claim(10, leaseMs)).toEqual([])
})

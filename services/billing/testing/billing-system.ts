import { processEvent, refundDuplicate } from '../application/refresh-subscription.js'
import { type StartedCheckout, startCheckout } from '../application/start-checkout.js'
import type { AccountId } from '../domain/ids.js'
import type { PlanDelivery } from '../domain/manual-plan.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { BillingInterval } from '../domain/subscription.js'
import type { BillingAccountStore, PaymentProvider } from '../ports.js'
import type { BillingFixture } from './billing-fixture.js'
import { type MemoryPaymentFixture, memoryPaymentFixture } from './memory-payment-fixture.js'
import { memoryPaymentProvider, type PaymentFault } from './memory-payment-provider.js'

/** The address of the web application in tests. */
export const webBaseUrl = 'https://snippets.example'

/** Billing's use cases on some stores and an in-memory provider, as two processes. */
export interface BillingSystem {
  readonly fixture: BillingFixture
  readonly payments: MemoryPaymentFixture
  /** The faults of the next calls of the provider. */
  readonly faults: PaymentFault[]
  /** The ports for the use cases of one of the two processes. */
  ports(process?: number): { accounts: BillingAccountStore; provider: PaymentProvider }
  checkout(id: AccountId, request?: CheckoutOptions): Promise<StartedCheckout>
  /** Stores these events and processes everything that is due. */
  take(events: readonly ProviderEvent[]): Promise<void>
  /** Takes every event that the provider has emitted since the last call. */
  takeAll(): Promise<void>
  /** Refunds all duplicates. */
  undo(): Promise<void>
  /** All pending plan deliveries, in order. */
  deliveries(): Promise<readonly PlanDelivery[]>
  passTime(ms: number): Promise<void>
}

/** The differences from a verified caller with monthly billing. */
export interface CheckoutOptions {
  readonly process?: number
  readonly email?: string | null
  readonly emailVerified?: boolean
  readonly interval?: BillingInterval
  readonly successUrl?: string
  readonly cancelUrl?: string
}

const leaseMs = 15_000

/** Sets the use cases up on these stores. */
export async function billingSystem(fixture: BillingFixture): Promise<BillingSystem> {
  const payments = memoryPaymentFixture((await fixture.now()).getTime())
  const faults: PaymentFault[] = []
  const provider = memoryPaymentProvider(payments, faults)
  const stores = [fixture, fixture.another()]
  const ports = (process = 0) => ({ accounts: (stores[process % 2] ?? fixture).accounts, provider })
  let taken = 0

  const processAll = async (): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const { eventLog } = stores[turn % 2] ?? fixture
      const events = await eventLog.claim(8, leaseMs)
      if (events.length === 0) return
      await Promise.all(
        events.map(async (event) => {
          await eventLog.finish(event.id, await processEvent(ports(turn), event))
        }),
      )
    }
  }
  const take = async (events: readonly ProviderEvent[]): Promise<void> => {
    await Promise.all(events.map((event, n) => (stores[n % 2] ?? fixture).eventLog.record(event)))
    await processAll()
  }
  return {
    fixture,
    payments,
    faults,
    ports,
    checkout: (accountId, { process, ...request } = {}) =>
      startCheckout(ports(process), {
        accountId,
        email: `${accountId}@example.com`,
        emailVerified: true,
        interval: 'month',
        successUrl: null,
        cancelUrl: null,
        webBaseUrl,
        ...request,
      }),
    take,
    async takeAll() {
      const fresh = payments.events.slice(taken)
      taken = payments.events.length
      await take(fresh)
    },
    async undo() {
      for (;;) {
        const unwanted = await fixture.accounts.claimUnwanted(10, leaseMs)
        if (unwanted.length === 0) return
        await Promise.all(unwanted.map((one) => refundDuplicate(ports(), one)))
      }
    },
    async deliveries() {
      const deliveries: PlanDelivery[] = []
      for (;;) {
        const claimed = await fixture.outbox.claim(100, leaseMs)
        if (claimed.length === 0) return deliveries
        deliveries.push(...claimed)
        await Promise.all(claimed.map(fixture.outbox.finish))
      }
    },
    async passTime(ms) {
      payments.passTime(ms)
      await fixture.passTime(ms)
    },
  }
}

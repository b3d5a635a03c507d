import { enumName } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { createKeyedQueue } from '#libs/runtime/keyed-queue.js'
import {
  BillingInterval,
  type SubscriptionServiceServer,
  SubscriptionServiceService,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { openPortal, setCancellation } from '../application/manage-subscription.js'
import { type IdempotentRequest, runIdempotent } from '../application/run-idempotent.js'
import { startCheckout } from '../application/start-checkout.js'
import { accountId } from '../domain/ids.js'
import type { BillingInterval as Interval, Price } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'
import { accountMessage, intervalMessage } from './grpc-messages.js'

/** The dependencies of the handlers besides the ports. */
export interface SubscriptionSettings {
  /** The web application's address, which payers return to. */
  readonly webBaseUrl: string
  readonly prices: () => readonly Price[]
  /** Called when a plan may have changed. */
  readonly onChange: () => void
}

const intervalName = enumName<Interval>(
  { [BillingInterval.BILLING_INTERVAL_MONTH]: 'month', [BillingInterval.BILLING_INTERVAL_YEAR]: 'year' },
  '/interval',
  'invalid_value',
  'interval must be month or year.',
)

function idempotentRequest(
  what: string,
  { accountId: id, idempotencyKey }: { readonly accountId: string; readonly idempotencyKey: string },
  fields: readonly (string | null)[],
): IdempotentRequest {
  const key = idempotencyKey === '' ? null : idempotencyKey
  return { accountId: accountId(id), key, fingerprint: JSON.stringify([what, ...fields]) }
}

/** `SubscriptionService` over gRPC. Requests of one account are handled one after another. */
export function grpcSubscriptions(
  { unary }: Pick<Handlers, 'unary'>,
  ports: BillingPorts,
  { webBaseUrl, prices, onChange }: SubscriptionSettings,
): BoundService {
  const accounts = createKeyedQueue()
  const cancellation = (id: string, cancel: boolean) =>
    accounts.run(id, async () => {
      const account = await setCancellation(ports, accountId(id), cancel)
      onChange()
      return accountMessage(account)
    })
  const handlers: SubscriptionServiceServer = {
    getSubscription: unary(async ({ accountId: id }) =>
      accountMessage(await ports.accounts.find(accountId(id))),
    ),
    startCheckout: unary((request) =>
      accounts.run(request.accountId, async () => {
        const id = accountId(request.accountId)
        const interval = intervalName(request.interval)
        const urls = { successUrl: request.successUrl ?? null, cancelUrl: request.cancelUrl ?? null }
        const idempotent = idempotentRequest('checkout', request, [interval, urls.successUrl, urls.cancelUrl])
        const { result, replayed } = await runIdempotent(ports, idempotent, async () => {
          const { emailVerified, email = null } = request
          const caller = { accountId: id, email, emailVerified, webBaseUrl }
          const { session, created } = await startCheckout(ports, { ...caller, ...urls, interval })
          return { id: session.id, checkoutUrl: session.url, created }
        })
        return { ...result, replayed }
      }),
    ),
    openPortal: unary(async (request) => {
      const open = () => openPortal(ports, accountId(request.accountId), `${webBaseUrl}/`)
      const { result, replayed } = await runIdempotent(ports, idempotentRequest('portal', request, []), open)
      return { portalUrl: result, replayed }
    }),
    cancelSubscription: unary(({ accountId: id }) => cancellation(id, true)),
    resumeSubscription: unary(({ accountId: id }) => cancellation(id, false)),
    listPrices: unary(async () => ({
      prices: prices().map(({ interval, currency, amountMinor }) => ({
        interval: intervalMessage(interval),
        currency,
        amountMinor,
      })),
    })),
  }
  return { definition: SubscriptionServiceService, handlers, callers: { each: ['gateway'] } }
}

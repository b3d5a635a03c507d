import { unavailable } from '#libs/core/domain-error.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { type CheckoutRequest, checkoutFor, closed, emailKey } from '../domain/checkout.js'
import type { AccountId, CheckoutId, CustomerId } from '../domain/ids.js'
import { returnUrls } from '../domain/return-url.js'
import { alreadySubscribed, type BillingInterval, isLive } from '../domain/subscription.js'
import type { BillingPorts, CheckoutSession } from '../ports.js'

type Ports = Pick<BillingPorts, 'accounts' | 'provider'>

/** The payer, and the options of the checkout. */
export interface CheckoutInput {
  readonly accountId: AccountId
  /** The claims of the caller's own token. */
  readonly email: string | null
  readonly emailVerified: boolean
  readonly interval: BillingInterval
  /** `null` for pages of the web application. */
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly webBaseUrl: string
}

/** A checkout that the caller can pay. */
export interface StartedCheckout {
  readonly session: CheckoutSession
  /** False if it already existed. */
  readonly created: boolean
}

/** Each attempt fails only because the account's checkout changed meanwhile. */
const triesMax = 5

/** Reserves a checkout, or finds a suitable one; another open one is to be closed. */
async function reserve(
  { accounts }: Ports,
  { accountId, email, emailVerified }: CheckoutInput,
  request: CheckoutRequest,
): Promise<{ account: BillingAccount; replaced: CheckoutId | null }> {
  const key = emailKey(email, emailVerified)
  let replaced: CheckoutId | null = null
  const updated = await accounts.update(accountId, async (account, now) => {
    if (account.subscription !== null && isLive(account.subscription)) throw alreadySubscribed('account')
    if (key !== null && (await accounts.subscriberWith(key)) !== null) throw alreadySubscribed('email')
    const checkout = checkoutFor(account.checkout, request, now)
    replaced =
      checkout !== account.checkout && account.checkout?.state === 'open' ? account.checkout.id : null
    return checkout === account.checkout && key === account.emailKey
      ? account
      : { ...account, checkout, emailKey: key }
  })
  if (updated.state === 'email-taken') throw alreadySubscribed('email')
  return { account: updated.account, replaced }
}

async function customerOf(
  { accounts, provider }: Ports,
  account: BillingAccount,
  email: string | null,
  number: number,
): Promise<CustomerId> {
  if (account.customerId !== null) return account.customerId
  const made = await provider.createCustomer(account.id, email, `customer:${account.id}:${number}`)
  const updated = await accounts.update(account.id, (known) =>
    known.customerId === null ? { ...known, customerId: made } : known,
  )
  return (updated.state === 'saved' ? updated.account.customerId : null) ?? made
}

/** Opens the reserved checkout at the provider; `null` if another one replaced it meanwhile. */
async function open(
  ports: Ports,
  account: BillingAccount,
  email: string | null,
): Promise<StartedCheckout | null> {
  const { checkout } = account
  if (checkout === null || checkout.state === 'over') return null
  if (checkout.state === 'open') {
    const { id, url, expiresAt } = checkout
    return { session: { id, url, expiresAt }, created: false }
  }
  const { interval, successUrl, cancelUrl, number } = checkout
  const customerId = await customerOf(ports, account, email, number)
  const order = { accountId: account.id, customerId, interval, successUrl, cancelUrl }
  const session = await ports.provider.startCheckout(order, `checkout:${account.id}:${number}`)
  let created = false
  const updated = await ports.accounts.update(account.id, (known) => {
    created = known.checkout?.state === 'starting' && known.checkout.number === number
    return created && known.checkout !== null
      ? { ...known, checkout: { ...known.checkout, ...session, state: 'open' } }
      : known
  })
  const known = updated.state === 'saved' ? updated.account.checkout : null
  if (known?.state === 'open' && known.id === session.id) return { session, created }
  await ports.provider.closeCheckout(session.id)
  return null
}

/**
 * Returns the one page on which the caller can pay: an open one, or a new one. Concurrent calls, in one process or
 * several, get the same and create one customer at the provider.
 * @throws DomainError `already_subscribed`, `validation_failed`, `unavailable`.
 */
export async function startCheckout(ports: Ports, input: CheckoutInput): Promise<StartedCheckout> {
  const request = { interval: input.interval, ...returnUrls(input, input.webBaseUrl) }
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { account, replaced } = await reserve(ports, input, request)
    if (replaced !== null && (await ports.provider.closeCheckout(replaced)).paid) {
      await ports.accounts.update(input.accountId, (known) =>
        known.checkout === null ? known : { ...known, checkout: closed(known.checkout) },
      )
      throw alreadySubscribed('account')
    }
    // An unverified address may belong to a stranger, who would get the receipts.
    const started = await open(ports, account, input.emailVerified ? input.email : null)
    if (started !== null) return started
  }
  throw unavailable('Another checkout was started at the same time. Try again.')
}

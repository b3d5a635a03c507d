import type { PlanName } from '../../plans/plan.js'
import { type Api, idempotent } from './api.js'

/** Query key of the subscription. */
export const subscriptionKey = ['subscription'] as const

export interface Subscription {
  readonly plan: PlanName
  readonly status:
    | 'none'
    | 'incomplete'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'unpaid'
    | 'paused'
    | 'canceled'
  readonly interval: 'month' | 'year' | null
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean
}

const path = '/api/subscription'

/** The subscription. Where everyone is Pro, the API returns 404. */
export async function getSubscription(api: Api, signal?: AbortSignal): Promise<Subscription> {
  return (await api.send<Subscription>({ path, signal })).body
}

/** The URL of a checkout page; the payer comes back to `returnTo`, a page of ours. */
export async function startCheckout(
  api: Api,
  interval: 'month' | 'year',
  returnTo: { readonly success: string; readonly cancel: string },
  idempotencyKey: string,
): Promise<string> {
  const { body } = await api.send<{ readonly checkout_url: string }>({
    method: 'POST',
    path: `${path}/checkout`,
    body: { interval, success_url: returnTo.success, cancel_url: returnTo.cancel },
    headers: idempotent(idempotencyKey),
  })
  return body.checkout_url
}

/** The URL of the provider's page for payment methods and invoices. */
export async function openPortal(api: Api): Promise<string> {
  const request = { method: 'POST', path: `${path}/portal`, body: {} } as const
  return (await api.send<{ readonly portal_url: string }>(request)).body.portal_url
}

/** Cancels the subscription at the end of the paid period, or takes the cancellation back. */
export async function changeSubscription(api: Api, change: 'cancel' | 'resume'): Promise<Subscription> {
  return (await api.send<Subscription>({ method: 'POST', path: `${path}/${change}`, body: {} })).body
}

import type { PlanName } from '../../plans/plan.js'
import { type Api, idempotent } from './api.js'

/** By what the subscription is kept. */
export const subscriptionKey = ['subscription'] as const

/** The subscription of whoever is signed in. */
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

/** The subscription; where everyone is Pro, the API returns 404. */
export async function getSubscription(api: Api, signal?: AbortSignal): Promise<Subscription> {
  return (await api.send<Subscription>({ path, signal })).body
}

/** The address of a page to pay on, from which the payer comes back to `returnTo`, a page of our own. */
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

/** The address of the payment provider's page for means of payment and invoices. */
export async function openPortal(api: Api): Promise<string> {
  const request = { method: 'POST', path: `${path}/portal`, body: {} } as const
  return (await api.send<{ readonly portal_url: string }>(request)).body.portal_url
}

/** Ends the subscription with the period that is paid for, or takes that back. */
export async function changeSubscription(api: Api, change: 'cancel' | 'resume'): Promise<Subscription> {
  return (await api.send<Subscription>({ method: 'POST', path: `${path}/${change}`, body: {} })).body
}

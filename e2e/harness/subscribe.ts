import type { ApiClient, ApiResponse } from './api-client.js'
import type { ApiSystem } from './api-system.js'
import { until } from './until.js'

/** A subscription as its owner sees it. */
export interface OwnSubscription {
  readonly plan: string
  readonly status: string
  readonly interval: string | null
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean
}

/** A user who has just subscribed, with a client for each gateway. */
export interface NewSubscriber {
  readonly clients: readonly ApiClient[]
  /** The client of the first gateway. */
  readonly user: ApiClient
  /** The subscription's id at the provider. */
  readonly id: string
}

/** The caller's subscription. */
export async function own(user: ApiClient): Promise<OwnSubscription> {
  return (await user.get('/api/subscription')).json<OwnSubscription>()
}

/** The plan in the caller's profile. */
export async function planOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ plan: string }>().plan
}

/** Starts a checkout with monthly billing. */
export function checkout(user: ApiClient, fields: object = {}): Promise<ApiResponse> {
  return user.post('/api/subscription/checkout', { interval: 'month', ...fields })
}

/** Subscribes a user, pays, and waits until the subscription is active. */
export async function subscribeAs(system: ApiSystem, name: string): Promise<NewSubscriber> {
  const clients = await Promise.all(
    Array.from({ length: system.gatewayCount }, (_, gateway) => system.user(name, 'free', gateway)),
  )
  const [user] = clients
  if (user === undefined || system.payments === null) throw new Error('there is no one to pay')
  const started = await checkout(user)
  if (started.status !== 201) throw new Error(started.text)
  const { id } = started.json<{ id: string }>()
  const paid = await system.payments.control<{ subscription: string }>(`checkout/${id}/pay`)
  await until(async () => (await own(user)).plan === 'pro')
  return { clients, user, id: paid.subscription }
}

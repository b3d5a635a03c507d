import type {
  Checkout,
  PlanList,
  Portal,
  Profile,
  StartCheckoutData,
  Subscription,
} from './generated/types.js'
import { postJson, type Repeatable, readJson } from './json-calls.js'
import type { CallOptions, Transport } from './transport.js'

/** The caller's account and subscription. */
export class Account {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** The caller's account, with its limits and usage. */
  profile(options?: CallOptions): Promise<Profile> {
    return readJson(this.#send, { method: 'GET', path: '/api/auth/profile' }, options)
  }

  /** The plans that this server offers. */
  plans(options?: CallOptions): Promise<PlanList> {
    return readJson(this.#send, { method: 'GET', path: '/api/plans' }, options)
  }

  subscription(options?: CallOptions): Promise<Subscription> {
    return readJson(this.#send, { method: 'GET', path: '/api/subscription' }, options)
  }

  /** Starts a checkout for Pro: open the returned URL in a browser. */
  checkout(checkout: StartCheckoutData['body'], options?: Repeatable): Promise<Checkout> {
    return postJson(this.#send, '/api/subscription/checkout', checkout, options)
  }

  /** Opens a page for payment details and invoices. */
  portal(options?: Repeatable): Promise<Portal> {
    return postJson(this.#send, '/api/subscription/portal', {}, options)
  }

  /** Cancels Pro at the end of the paid period. */
  cancel(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/cancel'
    return readJson(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }

  /** Takes a cancellation back. */
  resume(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/resume'
    return readJson(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }
}

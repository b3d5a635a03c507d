import type { ApiClient } from './api-client.js'
import type { PaymentSide } from './payment-side.js'
import type { TestIssuer } from './test-issuer.js'

/** A system that serves REST, whether it is real processes or runs inside this one. */
export interface ApiSystem {
  /** How many gateways there are. */
  readonly gatewayCount: number
  readonly issuer: TestIssuer
  /** `null` unless payments were requested. */
  readonly payments: PaymentSide | null
  /** The address of a gateway, the first unless another is requested. */
  baseUrl(gateway?: number): string
  /** Everything that a gateway has logged so far. */
  gatewayOutput(gateway?: number): string
  /** A client that calls as this user, holding this plan (Free unless said otherwise). */
  user(name: string, plan?: 'free' | 'pro', gateway?: number): Promise<ApiClient>
  /** A client without credentials. */
  anyone(gateway?: number): ApiClient
  /** A client that calls with this API key. */
  withKey(key: string, gateway?: number): ApiClient
  /** Gives a user another plan. */
  setPlan(name: string, plan: 'free' | 'pro'): Promise<void>
  /** Lets a key expire now; no one can wait for the minute that a key lives at least. */
  expireKey(id: string): Promise<void>
  /** Moves the end of shares to `inMs` from now, or into the past, as if time had passed. */
  expireShares(ids: readonly string[], inMs: number): Promise<void>
  stop(): Promise<void>
}

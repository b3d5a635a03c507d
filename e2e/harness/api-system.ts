import type { ApiClient } from './api-client.js'
import type { PaymentSide } from './payment-side.js'
import type { TestIssuer } from './test-issuer.js'

/** A system that serves REST, as real processes or inside this one. */
export interface ApiSystem {
  /** How many gateways there are. */
  readonly gatewayCount: number
  readonly issuer: TestIssuer
  /** `null` unless payments were requested. */
  readonly payments: PaymentSide | null
  /** The address of a gateway, by default the first. */
  baseUrl(gateway?: number): string
  /** All log output of the gateways so far. */
  gatewayOutput(gateway?: number): string
  /** A client for this user with this plan, by default Free. */
  user(name: string, plan?: 'free' | 'pro', gateway?: number): Promise<ApiClient>
  /** A client without credentials. */
  anyone(gateway?: number): ApiClient
  /** A client that uses this API key. */
  withKey(key: string, gateway?: number): ApiClient
  /** Changes a user's plan. */
  setPlan(name: string, plan: 'free' | 'pro'): Promise<void>
  /** Expires a key now, since keys live for at least a minute. */
  expireKey(id: string): Promise<void>
  /** Moves the expiry of shares to `inMs` from now, or into the past, as if time had passed. */
  expireShares(ids: readonly string[], inMs: number): Promise<void>
  stop(): Promise<void>
}

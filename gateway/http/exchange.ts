import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlanName } from '#shared/core/plan.js'

/** One request and its answer on the way through the gateway. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Whom the limits per client address count it for. */
  readonly clientAddress: string
  /** Aborted when the caller goes away before the answer is complete. */
  readonly signal: AbortSignal
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** What stands behind the `?`. */
  readonly search: URLSearchParams
}

/** What an API key may be used for. */
export type KeyScope = 'read' | 'write'

/** What a caller proved who it is with. */
export type ProvenBy =
  | { readonly kind: 'identity-token' }
  | { readonly kind: 'api-key'; readonly id: string; readonly scopes: readonly KeyScope[] }

/** Who sent a request, as identity knows them now. */
export interface Caller {
  readonly accountId: string
  readonly provenBy: ProvenBy
  readonly plan: PlanName
  /** Grows with every change of the plan. */
  readonly planVersion: number
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly createdAt: Date
  /** Why it may do nothing at the moment, if so: an operator suspended the account, or the key's owner stayed away. */
  readonly outOfUse?: 'suspended' | 'asleep'
}

/** The handling of one operation; an error that it throws becomes a problem. */
export type PublicHandler = (exchange: Exchange) => Promise<void>
/** The same where the caller is known. */
export type AccountHandler = (exchange: Exchange, caller: Caller) => Promise<void>

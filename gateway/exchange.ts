import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlanName } from '#libs/core/plan.js'

/** One request and its answer on the way through the gateway. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Aborted when the caller goes away before the answer is complete. */
  readonly signal: AbortSignal
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** What stands behind the `?`. */
  readonly search: URLSearchParams
}

/** Who sent a request, as identity knows them now. */
export interface Caller {
  readonly accountId: string
  readonly plan: PlanName
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly createdAt: Date
}

/** The handling of one operation; an error that it throws becomes a problem. */
export type PublicHandler = (exchange: Exchange) => Promise<void>
/** The same where the caller is known. */
export type AccountHandler = (exchange: Exchange, caller: Caller) => Promise<void>

import type { Duplex } from 'node:stream'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AssertionVerifier } from '../auth/verify-assertion.js'
import type { UploadBudget } from '../body/upload-budget.js'
import type { Caller, RequestContext } from '../http/request-context.js'
import type { DocumentReads } from '../http/stored-data.js'
import type { Reauthenticate } from '../pipeline/reauthenticate.js'
import type { Upstreams } from '../upstreams.js'
import type { ShareCache } from './shares/share-cache.js'
import type { ViewCounter } from './shares/view-counter.js'
import type { ReadSnippet } from './snippets/read-snippet.js'

export interface RouteParts {
  readonly upstreams: Upstreams
  readonly plans: PlanCatalogue
  /** If so, Pro is the only plan. */
  readonly everyoneIsPro: boolean
  /** The public address, without a trailing slash. */
  readonly publicBaseUrl: string
  /** The start of the address of every share page. */
  readonly shareBaseUrl: string
  /** Limits the bytes of uploads in flight. */
  readonly uploads: UploadBudget
  /** The most that the two sides of a comparison may have together. */
  readonly compareBytesMax: number
  /** Sends documents and searches them for a value. */
  readonly documentReads: DocumentReads
  readonly readSnippet: ReadSnippet
  /**
   * Counts a request that turns out to create something, in addition to how it was counted at first.
   * @throws RateLimited
   */
  readonly limitCreates: (context: RequestContext, caller: Caller) => Promise<void>
  /** Authenticates a caller again whose body took long to arrive. */
  readonly reauthenticate: Reauthenticate
  /** The cache of public shares. */
  readonly shares: ShareCache
  readonly views: Pick<ViewCounter, 'count'>
  /** Drops a deleted share here, and notifies other gateways through Redis; never throws. */
  readonly forgetShare: (id: string) => Promise<void>
  /** Origins besides the public address from which browsers may call the API. */
  readonly corsOrigins: readonly string[]
  /** Serves HTTP on a connection that this process made itself. */
  readonly connect: (connection: Duplex) => void
  /** Tokens of CI jobs. */
  readonly assertions: AssertionVerifier
  /** Drops an account from this gateway's caches at once. */
  readonly forgetCaller: (accountId: string) => void
}

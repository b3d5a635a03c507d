import type { Duplex } from 'node:stream'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { UploadBudget } from '../body/upload-budget.js'
import type { Caller, RequestContext } from '../http/request-context.js'
import type { DocumentReads } from '../http/stored-data.js'
import type { Reauthenticate } from '../pipeline/reauthenticate.js'
import type { Upstreams } from '../upstreams.js'
import type { ShareCache } from './shares/share-cache.js'
import type { ReadSnippet } from './snippets/read-snippet.js'

export interface RouteParts {
  readonly upstreams: Upstreams
  readonly plans: PlanCatalogue
  /** Then Pro is the only plan that there is. */
  readonly everyoneIsPro: boolean
  /** The address that callers see, without a trailing slash. */
  readonly publicBaseUrl: string
  /** What the address of the page of a share begins with. */
  readonly shareBaseUrl: string
  /** Bounds the bytes of uploads in flight. */
  readonly uploads: UploadBudget
  /** Documents that are sent, or searched for a value. */
  readonly documentReads: DocumentReads
  readonly readSnippet: ReadSnippet
  /**
   * Counts a request that turns out to create something, beside what it was counted as when it came.
   * @throws RateLimited
   */
  readonly limitCreates: (context: RequestContext, caller: Caller) => Promise<void>
  /** Who a caller is by now whose body took long to arrive. */
  readonly reauthenticate: Reauthenticate
  /** Public shares that were read a moment ago. */
  readonly shares: ShareCache
  /** Forgets a deleted share here, and has other gateways forget it where Redis tells them; never throws. */
  readonly forgetShare: (id: string) => Promise<void>
  /** Origins beside the public address from which browsers may call. */
  readonly corsOrigins: readonly string[]
  /** Serves HTTP on a connection that this process made itself. */
  readonly connect: (connection: Duplex) => void
  /** Forgets at once what this gateway remembers of an account. */
  readonly forgetCaller: (accountId: string) => void
}

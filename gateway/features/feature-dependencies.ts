import type { Duplex } from 'node:stream'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AssertionVerifier } from '../auth/verify-assertion.js'
import type { SecretPolicy } from '../body/secret-policy.js'
import type { UploadBudget } from '../body/upload-budget.js'
import type { DocumentReads } from '../data/stored-data.js'
import type { Reauthenticate } from '../pipeline/reauthenticate.js'
import type { Caller, RequestContext } from '../request/request-context.js'
import type { Upstreams } from '../upstreams.js'
import type { PlanList } from './account/plan-list.js'
import type { ArchiveQuota } from './archive/archive-quota.js'
import type { LoadShare, ShareCache } from './shares/share-cache.js'
import type { ViewCounter } from './shares/view-counter.js'
import type { ReadSnippet } from './snippets/read-snippet.js'
import type { RunJob } from './tools/jobs.js'

export interface FeatureDependencies {
  readonly upstreams: Upstreams
  readonly plans: PlanCatalogue
  /** The plans as `/api/plans` returns them. */
  readonly listPlans: () => Promise<PlanList>
  /** Whether Pro is the only plan. */
  readonly everyoneIsPro: boolean
  /** The public address, without a trailing slash. */
  readonly publicBaseUrl: string
  /** The base address of share pages. */
  readonly shareBaseUrl: string
  readonly uploads: UploadBudget
  /** The limit of both sides of a comparison together. */
  readonly compareBytesMax: number
  /** What happens to shares in which secrets are found. */
  readonly shareSecrets: SecretPolicy
  /** Whether tools and comparisons are offered. */
  readonly tools: boolean
  /** Whether search engines may index the API reference. */
  readonly indexing: boolean
  readonly runJob: RunJob
  readonly documentReads: DocumentReads
  readonly archiveQuota: ArchiveQuota
  readonly readSnippet: ReadSnippet
  readonly loadShare: LoadShare
  /**
   * Counts a request that turns out to create something, in addition to its first count.
   * @throws RateLimited
   */
  readonly limitCreates: (context: RequestContext, caller: Caller) => Promise<void>
  /**
   * Counts a report of a share.
   * @throws RateLimited
   */
  readonly limitReports: (context: RequestContext) => Promise<void>
  /** A keyed digest of a client IP: the address itself goes no further. */
  readonly reporterOf: (clientAddress: string) => Buffer
  /** Whether owners see who the operator was. */
  readonly operatorInEvents: boolean
  readonly reauthenticate: Reauthenticate
  /** The caller of a public operation, if it was sent valid credentials that may read; else `null`. */
  readonly callerIfAny: (context: RequestContext) => Promise<Caller | null>
  readonly shares: ShareCache
  readonly views: Pick<ViewCounter, 'count'>
  /** Drops a changed share, or `allShares`, from the caches of all gateways, through Redis; never throws. */
  readonly forgetShare: (id: string) => Promise<void>
  /** Origins from which browsers may call the API, besides the public address. */
  readonly corsOrigins: readonly string[]
  /** Serves HTTP on a connection that this process has created itself. */
  readonly connect: (connection: Duplex) => void
  /** Verifies tokens of CI jobs. */
  readonly assertions: AssertionVerifier
  /** Drops an account from this gateway's caches at once. */
  readonly forgetCaller: (accountId: string) => void
}

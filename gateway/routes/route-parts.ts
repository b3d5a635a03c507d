import type { PlanCatalogue } from '#libs/core/plan.js'
import type { UploadBudget } from '../body/upload-budget.js'
import type { Upstreams } from '../upstreams.js'

/** What routes are made from. */
export interface RouteParts {
  readonly upstreams: Upstreams
  readonly plans: PlanCatalogue
  /** Then Pro is the only plan that there is. */
  readonly everyoneIsPro: boolean
  /** The address that callers see, without a trailing slash. */
  readonly publicBaseUrl: string
  /** Bounds the bytes of uploads in flight. */
  readonly uploads: UploadBudget
  /** Forgets at once what this gateway remembers of an account. */
  readonly forgetCaller: (accountId: string) => void
}

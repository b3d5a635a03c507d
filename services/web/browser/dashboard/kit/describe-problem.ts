import { type TextName, text } from '../../../texts/text.js'
import { ApiProblem } from '../api/api-problem.js'

/** What to say about a failure, and what to do about it. */
export interface ProblemDescription {
  readonly title: string
  readonly detail: string
  readonly remedy: 'retry' | 'wait' | 'plan' | 'sign-in' | 'none'
  readonly waitSeconds: number
}

/** Upgrading the plan would help. */
const planCodes: ReadonlySet<string> = new Set([
  'snippet_limit_reached',
  'share_limit_reached',
  'storage_limit_reached',
  'pro_required',
  'data_too_large',
])

function remedyOf({ status, code }: ApiProblem): ProblemDescription['remedy'] {
  if (status === 429) return 'wait'
  if (planCodes.has(code)) return 'plan'
  if (status === 401) return 'sign-in'
  return status === 0 || status >= 500 ? 'retry' : 'none'
}

const titles: Readonly<Record<string, TextName>> = {
  rate_limited: 'problem.limitedTitle',
  snippet_limit_reached: 'problem.snippetLimitTitle',
  share_limit_reached: 'problem.shareLimitTitle',
  storage_limit_reached: 'problem.storageLimitTitle',
  pro_required: 'problem.proTitle',
}

function detailOf({ status, detail, errors }: ApiProblem): string {
  if (status === 0) return text('problem.network')
  if (status >= 502) return text('problem.unavailable')
  if (detail === '') return text('problem.internal')
  return errors.length > 1 ? errors.map((error) => error.detail).join(' ') : detail
}

/** Describes a failure in words: the API's own sentence if it has one, otherwise one of ours. */
export function describeProblem(error: Error): ProblemDescription {
  if (!(error instanceof ApiProblem))
    return {
      title: text('problem.title'),
      detail: text('problem.internal'),
      remedy: 'retry',
      waitSeconds: 0,
    }
  const remedy = remedyOf(error)
  const title = remedy === 'sign-in' ? 'problem.signedOutTitle' : titles[error.code]
  return {
    title: text(title ?? 'problem.title'),
    detail: detailOf(error),
    remedy,
    waitSeconds: error.retryAfterSeconds ?? 0,
  }
}

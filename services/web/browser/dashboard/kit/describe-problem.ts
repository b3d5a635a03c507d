import { ConnectionError, ProblemError, SilenceTimeoutError, SnipkeepError } from '#sdk/exports.js'
import { knownText, text } from '../../../texts/text.js'

/** What to say about a failure, and what to do about it. */
export interface ProblemDescription {
  readonly title: string
  readonly detail: string
  /** The language of `detail` where it is the API's own sentence; otherwise it is the page's. */
  readonly detailLanguage?: 'en'
  readonly remedy: 'retry' | 'wait' | 'plan' | 'sign-in' | 'none'
  readonly waitSeconds: number
}

/** Upgrading the plan would help. */
const planCodes: ReadonlySet<string> = new Set([
  'snippet_limit_reached',
  'contract_limit_reached',
  'share_limit_reached',
  'storage_limit_reached',
  'pro_required',
  'data_too_large',
])

/** Whether a request failed because there is no such thing, or not for this user. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && (error.status === 404 || error.code === 'not_owner')
}

function remedyOf({ status, code }: ProblemError): ProblemDescription['remedy'] {
  if (status === 429) return 'wait'
  if (planCodes.has(code)) return 'plan'
  if (status === 401) return 'sign-in'
  return status >= 500 ? 'retry' : 'none'
}

function detailOf({
  status,
  detail,
  errors,
  problem,
}: ProblemError): Pick<ProblemDescription, 'detail' | 'detailLanguage'> {
  if (status >= 502) return { detail: text('problem.unavailable') }
  if (problem === null || detail === '') return { detail: text('problem.internal') }
  const said = errors.length > 1 ? errors.map((error) => error.detail).join(' ') : detail
  return { detail: said, detailLanguage: 'en' }
}

/** Describes what is no response of the API: nothing came, what we say ourselves, or a defect. */
function describeFailure(error: Error): ProblemDescription {
  const isUnreachable = error instanceof ConnectionError || error instanceof SilenceTimeoutError
  const hasMessage = error instanceof SnipkeepError && !isUnreachable
  return {
    title: text('problem.title'),
    detail: hasMessage ? error.message : text(isUnreachable ? 'problem.network' : 'problem.internal'),
    remedy: hasMessage ? 'none' : 'retry',
    waitSeconds: 0,
  }
}

/** Describes a failure in words: the API's own sentence if it has one, otherwise one of ours. */
export function describeProblem(error: Error): ProblemDescription {
  if (!(error instanceof ProblemError)) return describeFailure(error)
  const remedy = remedyOf(error)
  const title =
    remedy === 'sign-in' ? text('problem.signedOutTitle') : knownText(`problemTitle.${error.code}`)
  return {
    title: title ?? text('problem.title'),
    ...detailOf(error),
    remedy,
    waitSeconds: error.retryAfter ?? 0,
  }
}

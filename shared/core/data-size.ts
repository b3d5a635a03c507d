import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import { type PlanName, planTitles } from './plan.js'

/** The maximum bytes of `data` in one message and in the row of a record; larger data is a document. */
export const inlineBytesMax = 65_536

/** The allowed and the actual size of `data`. */
export interface DataLimit {
  readonly bytesMax: number
  readonly plan: PlanName
  readonly noun: 'snippet' | 'share' | 'check' | 'snippet or share' | 'run of a tool'
  /** Pro's limit, if it is higher. */
  readonly proBytesMax?: number
  /** The sent or declared size, if known. */
  readonly actualBytes?: number
}

/** 413: `data` is larger than the plan allows, or the length of its body proves that it must be. */
export function dataTooLarge({ bytesMax, plan, noun, proBytesMax, actualBytes }: DataLimit): DomainError {
  const allowed = `The ${planTitles[plan]} plan allows ${readableSize(bytesMax)} of data per ${noun}`
  const more = proBytesMax === undefined ? '' : ` (Pro: ${readableSize(proBytesMax)})`
  const sent = actualBytes === undefined ? 'more' : readableSize(actualBytes)
  const actual = actualBytes === undefined ? {} : { actual: actualBytes }
  return new DomainError('too-large', 'data_too_large', `${allowed}${more}; you sent ${sent}.`, {
    limit: bytesMax,
    ...actual,
    plan,
  })
}

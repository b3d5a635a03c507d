import { DomainError } from '#libs/core/domain-error.js'
import { type PlanName, planTitles } from './plan.js'
import { readableSize } from './readable-size.js'

/** The most bytes of `data` that travel in one message and live in the row of their record; more are a document. */
export const inlineBytesMax = 65_536

/** How much `data` may be sent, and how much was. */
export interface DataLimit {
  readonly bytesMax: number
  readonly plan: PlanName
  readonly noun: 'snippet' | 'share' | 'snippet or share'
  /** What Pro allows, where that is more. */
  readonly proBytesMax?: number
  /** What was sent, or declared, where that is known. */
  readonly actualBytes?: number
}

/** 413: `data` is larger than the plan allows, or the length of its body alone says that it must be. */
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

import { decimalOf, saturatedDecimalOf } from '../decimal.js'
import type { ValueRule } from './contract.js'
import { isBetween, isWithin } from './within.js'

/** A value as rules look at it: a number by its spelling, or a text; neither for anything else. */
export interface RuledValue {
  readonly number: string | null
  readonly text: string | null
}

/** Which rule a value breaks, whatever it was before. */
export function brokenValue(
  rules: readonly ValueRule[],
  { number, text }: RuledValue,
): 'bounds' | 'pattern' | null {
  for (const rule of rules) {
    if (rule.min !== null || rule.max !== null) {
      if (number === null || !isBetween(rule, saturatedDecimalOf(number))) return 'bounds'
    }
    if (rule.pattern !== null && (text === null || !rule.pattern.test(text, false))) return 'pattern'
  }
  return null
}

/** Which rule a change breaks. Only numbers may change within limits. */
export function brokenChange(
  rules: readonly ValueRule[],
  baseline: RuledValue,
  candidate: RuledValue,
): 'bounds' | 'tolerance' | null {
  for (const { tolerance, changeMax } of rules) {
    const limits = tolerance ?? changeMax
    if (limits === null) continue
    const [before, after] = [baseline.number, candidate.number].map((text) =>
      text === null ? null : decimalOf(text),
    )
    const isFine = before != null && after != null && isWithin(limits, before, after)
    if (!isFine) return tolerance === null ? 'bounds' : 'tolerance'
  }
  return null
}

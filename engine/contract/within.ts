import { compareDecimals, type Decimal, magnitude, shifted, signOfSum } from '../decimal.js'
import type { Tolerance, ValueRule } from './contract.js'

/** Whether a number is as near to another as a limit wants, exactly. */
export function isWithin({ absolute, relative }: Tolerance, baseline: Decimal, candidate: Decimal): boolean {
  const sign = compareDecimals(candidate, baseline)
  if (sign === 0) return true
  const distance = [
    { of: candidate, weight: sign },
    { of: baseline, weight: -sign },
  ]
  if (absolute !== null && signOfSum([...distance, { of: absolute, weight: -1 }]) <= 0) return true
  if (relative === null) return false
  const places = relative.top - relative.digits.length
  const share = { of: shifted(magnitude(baseline), places), weight: -Number(relative.digits) }
  return signOfSum([...distance, share]) <= 0
}

/** Whether a number is between the bounds of a rule. */
export function isBetween({ min, max }: ValueRule, candidate: Decimal): boolean {
  if (min !== null && compareDecimals(candidate, min) < 0) return false
  return max === null || compareDecimals(candidate, max) <= 0
}

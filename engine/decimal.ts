/** A number by its spelling: 0.DIGITS × 10^top, of any length. Digits neither begin nor end with 0; zero has none. */
export interface Decimal {
  readonly isNegative: boolean
  readonly digits: string
  readonly top: number
}

/** Exponents of more digits are no numbers that anyone means; positions stay exact integers up to here. */
const exponentDigitsMax = 15
const topMax = 4 * 10 ** exponentDigitsMax

/** Zero. */
export const zero: Decimal = { isNegative: false, digits: '', top: 0 }

/** The number that a valid JSON number spells; `null` if its exponent has more than 15 digits. */
export function decimalOf(text: string): Decimal | null {
  const decimal = saturatedDecimalOf(text)
  return Math.abs(decimal.top) >= topMax / 2 ? null : decimal
}

/** The same, but a longer exponent is one that no other number has: for comparisons with numbers of `decimalOf`. */
export function saturatedDecimalOf(text: string): Decimal {
  const isNegative = text.startsWith('-')
  let e = text.indexOf('e')
  if (e < 0) e = text.indexOf('E')
  const mantissa = text.slice(isNegative ? 1 : 0, e < 0 ? text.length : e)
  const point = mantissa.indexOf('.')
  const whole = point < 0 ? mantissa : mantissa.slice(0, point)
  const all = point < 0 ? whole : whole + mantissa.slice(point + 1)
  let first = 0
  while (all[first] === '0') first += 1
  let last = all.length
  while (last > first && all[last - 1] === '0') last -= 1
  if (first === last) return zero
  if (e < 0) return { isNegative, digits: all.slice(first, last), top: whole.length - first }
  const exponent = text.slice(e + 1).replace(/^([+-]?)0+(?=\d)/, '$1')
  const digits = all.slice(first, last)
  const isLong = exponent.replace(/^[+-]/, '').length > exponentDigitsMax
  if (isLong) return { isNegative, digits, top: exponent.startsWith('-') ? -topMax : topMax }
  return { isNegative, digits, top: whole.length - first + Number(exponent) }
}

/** A number times ten to the power of `places`. */
export function shifted(decimal: Decimal, places: number): Decimal {
  return decimal.digits === '' ? decimal : { ...decimal, top: decimal.top + places }
}

/** A number without its sign. */
export function magnitude(decimal: Decimal): Decimal {
  return decimal.isNegative ? { ...decimal, isNegative: false } : decimal
}

/** A summand: a number times a whole number below 10^12. */
export interface Term {
  readonly of: Decimal
  readonly weight: number
}

const isSomething = ({ of, weight }: Term): boolean => of.digits !== '' && weight !== 0

/** Where the digits of the next term begin, at or below this position; `null` if there are none left. */
function nextDigits(terms: readonly Term[], at: number): number | null {
  let next: number | null = null
  for (const { of } of terms) {
    if (of.top - of.digits.length >= at) continue
    const begin = Math.min(of.top, at)
    if (next === null || begin > next) next = begin
  }
  return next
}

/** Powers of ten that are exact as doubles, with room for digits. */
const powers = Array.from({ length: 16 }, (_power, at) => 10 ** at)

/** The sign of a sum whose summands, in units of the lowest digit of any, are whole numbers that doubles hold; else `null`. */
function signOfSmallSum(terms: readonly Term[], weights: number): number | null {
  let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { of } of terms) {
    top = Math.max(top, of.top)
    bottom = Math.min(bottom, of.top - of.digits.length)
  }
  const largest = powers[top - bottom]
  if (largest === undefined || largest * weights > Number.MAX_SAFE_INTEGER) return null
  let sum = 0
  for (const { of, weight } of terms) {
    const value = Number(of.digits) * (powers[of.top - of.digits.length - bottom] ?? 0)
    sum += of.isNegative ? -weight * value : weight * value
  }
  return Math.sign(sum)
}

/**
 * The sign of a sum. It is exact, and nothing is expanded: digits are added up from the highest position down, until
 * those that are left cannot change the sign, and positions without digits are skipped.
 */
export function signOfSum(summands: readonly Term[]): number {
  const terms = summands.every(isSomething) ? summands : summands.filter(isSomething)
  let settled = 0
  for (const { weight } of terms) settled += Math.abs(weight)
  const small = terms.length === 0 ? 0 : signOfSmallSum(terms, settled)
  if (small !== null) return small
  let sum = 0
  let at = nextDigits(terms, Number.POSITIVE_INFINITY)
  while (at !== null) {
    sum *= 10
    for (const { of, weight } of terms) {
      const place = of.top - at
      if (place < 0 || place >= of.digits.length) continue
      const digit = of.digits.charCodeAt(place) - 0x30
      sum += (of.isNegative ? -weight : weight) * digit
    }
    if (Math.abs(sum) >= settled) return Math.sign(sum)
    const next = nextDigits(terms, at - 1)
    // Positions that are skipped would only add zeros to the sum.
    for (let gap = at - 1; next !== null && sum !== 0 && gap > next; gap -= 1) {
      sum *= 10
      if (Math.abs(sum) >= settled) return Math.sign(sum)
    }
    at = next
  }
  return Math.sign(sum)
}

/** Less than, equal or greater than 0. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  if (one.digits === '' || other.digits === '' || one.isNegative !== other.isNegative)
    return Math.sign(signOf(one) - signOf(other))
  const isFarther = one.top === other.top ? one.digits > other.digits : one.top > other.top
  if (one.top === other.top && one.digits === other.digits) return 0
  return isFarther === one.isNegative ? -1 : 1
}

function signOf({ digits, isNegative }: Decimal): number {
  if (digits === '') return 0
  return isNegative ? -1 : 1
}

/** Whether a number has no fraction. */
export function isWhole({ digits, top }: Decimal): boolean {
  return top >= digits.length
}

/** The rest of a long row of digits, a few of them at a time. */
function restOf(digits: string, divisor: bigint): bigint {
  let rest = 0n
  for (let at = 0; at < digits.length; at += 15) {
    const some = digits.slice(at, at + 15)
    rest = (rest * 10n ** BigInt(some.length) + BigInt(some)) % divisor
  }
  return rest
}

/** Ten to a power, modulo a divisor. */
function powerRest(power: number, divisor: bigint): bigint {
  let [rest, square] = [1n % divisor, 10n % divisor]
  for (let left = BigInt(power); left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) rest = (rest * square) % divisor
    square = (square * square) % divisor
  }
  return rest
}

/** Whether one number is a whole multiple of another, which is positive and not long. */
export function isMultiple(decimal: Decimal, of: Decimal): boolean {
  if (decimal.digits === '') return true
  const shift = decimal.top - decimal.digits.length - (of.top - of.digits.length)
  // The last digit of neither is 0.
  if (shift < 0) return false
  const divisor = BigInt(of.digits)
  return (restOf(decimal.digits, divisor) * powerRest(shift, divisor)) % divisor === 0n
}

import { pointerTo, stepsOf } from '../../json-pointer.js'
import {
  ignored,
  isArray,
  isNumber,
  isObject,
  type Kept,
  type Plain,
  type PlainContract,
  type PlainObject,
  plainText,
} from './plain-values.js'

// The meaning of a contract, written as plainly as possible and without regard to time: what the engine must find, too.

type Path = readonly (string | number)[]

/** A text that is the same for equal values; `anyOrder` of items, too. */
function identity(value: Kept, anyOrder: boolean): string {
  if (typeof value === 'symbol') return 'ignored'
  if (isArray(value)) {
    const items = value.map((item) => identity(item, anyOrder))
    return `[${(anyOrder ? items.sort() : items).join(',')}]`
  }
  if (!isObject(value)) return plainText(value)
  const members = Object.entries(value.members).map(
    ([key, member]) => `${JSON.stringify(key)}:${identity(member, anyOrder)}`,
  )
  return `{${members.sort().join(',')}}`
}

function matches(path: string, at: Path): boolean {
  const steps = stepsOf(path) ?? []
  return (
    steps.length === at.length && steps.every((step, index) => step === '*' || step === String(at[index]))
  )
}

/** A number in units of 10^-40. */
function units(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const scale = 40 - fraction.length + Number(exponent)
  const size = BigInt(whole + fraction) * 10n ** BigInt(scale)
  return mantissa.startsWith('-') ? -size : size
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

function isNear(limit: string, before: string, after: string): boolean {
  const distance = size(units(after) - units(before))
  if (!limit.endsWith('%')) return distance <= units(limit)
  return distance * 100n * 10n ** 40n <= units(limit.slice(0, -1)) * size(units(before))
}

/** Judges a candidate by what the words of a contract say. */
export class NaiveJudge {
  readonly breaks: string[] = []
  allowed = 0
  private readonly contract: PlainContract

  constructor(contract: PlainContract) {
    this.contract = contract
  }

  verdict(baseline: Plain, candidate: Plain): string {
    const before: Kept = this.kept(baseline, [])
    const after: Kept = this.kept(candidate, [])
    this.check(after, [])
    if (this.contract.compare === 'shape') this.compareShapes([before], [after], [])
    else this.compare(before, after, [])
    if (this.breaks.length > 0) return 'breaks'
    if (this.allowed === 0 && identity(baseline, false) !== identity(candidate, false)) this.allowed = 1
    return this.allowed > 0 ? 'allowed' : 'same'
  }

  private report(rule: string, at: Path): void {
    this.breaks.push(`${rule} ${pointerTo(at)}`)
  }

  private kept(value: Plain, at: Path): Kept {
    if ((this.contract.ignore ?? []).some((path) => matches(path, at))) return ignored
    if (isArray(value)) return value.map((item, index) => this.kept(item, [...at, index])) as readonly Plain[]
    if (!isObject(value)) return value
    const members = Object.entries(value.members).map(
      ([key, member]) => [key, this.kept(member, [...at, key])] as const,
    )
    return {
      members: Object.fromEntries(
        members.filter(([, member]) => member !== ignored),
      ) as PlainObject['members'],
    }
  }

  private at<Rule extends { readonly path: string }>(
    rules: readonly Rule[] | undefined,
    at: Path,
  ): readonly Rule[] {
    return (rules ?? []).filter(({ path }) => matches(path, at))
  }

  /** The first rule that a value breaks by itself. */
  private brokenValue(value: Kept, at: Path): string | null {
    for (const { matches: pattern } of this.at(this.contract.pattern, at))
      if (typeof value !== 'string' || !new RegExp(pattern, 'u').test(value)) return 'pattern'
    for (const { min, max } of this.at(this.contract.bounds, at)) {
      if (min === undefined && max === undefined) continue
      if (!isNumber(value)) return 'bounds'
      if (min !== undefined && units(value.number) < units(min)) return 'bounds'
      if (max !== undefined && units(value.number) > units(max)) return 'bounds'
    }
    return null
  }

  private check(value: Kept, at: Path): void {
    if (value === ignored) return
    const broken = this.brokenValue(value, at)
    if (broken !== null) this.report(broken, at)
    if (isArray(value)) for (const [index, item] of value.entries()) this.check(item, [...at, index])
    else if (isObject(value))
      for (const [key, member] of Object.entries(value.members)) this.check(member, [...at, key])
  }

  private compare(before: Kept, after: Kept, at: Path): void {
    if (identity(before, false) === identity(after, false)) return
    if (isArray(before) && isArray(after)) this.compareArrays(before, after, at)
    else if (isObject(before) && isObject(after)) this.compareObjects(before, after, at)
    else this.replaced(before, after, at)
  }

  private replaced(before: Kept, after: Kept, at: Path): void {
    const { tolerance, pattern, bounds } = this.contract
    const tolerances = this.at(tolerance, at)
    const bounded = this.at(bounds, at)
    if (tolerances.length + bounded.length + this.at(pattern, at).length === 0) {
      this.report('value', at)
      return
    }
    const near = (limits: readonly (string | undefined)[]): boolean =>
      isNumber(before) &&
      isNumber(after) &&
      limits.some((limit) => limit !== undefined && isNear(limit, before.number, after.number))
    if (tolerances.some(({ absolute, relative }) => !near([absolute, relative]))) this.report('tolerance', at)
    else if (bounded.some((one) => one.change_max !== undefined && !near([one.change_max])))
      this.report('bounds', at)
    else if (this.brokenValue(after, at) === null) this.allowed += 1
  }

  private compareObjects(before: PlainObject, after: PlainObject, at: Path): void {
    for (const [key, member] of Object.entries(before.members)) {
      const other = after.members[key]
      if (other === undefined) this.report('removed', [...at, key])
      else this.compare(member, other, [...at, key])
    }
    for (const key of Object.keys(after.members))
      if (before.members[key] === undefined) this.report('added', [...at, key])
  }

  private pair(before: Kept, after: Kept, at: Path): void {
    if (before !== ignored && after !== ignored) this.compare(before, after, at)
  }

  private compareArrays(before: readonly Kept[], after: readonly Kept[], at: Path): void {
    const keys = Object.entries(this.contract.keys ?? {}).find(([path]) => matches(path, at))?.[1]
    if (keys !== undefined) this.compareKeyed(before, after, keys, at)
    else if (this.contract.order === 'insignificant') this.compareSets(before, after, at)
    else this.compareLists(before, after, at)
  }

  private rest(
    before: readonly (readonly [number, Kept])[],
    after: readonly (readonly [number, Kept])[],
    at: Path,
  ): void {
    before.forEach(([, item], index) => {
      const other = after[index]
      if (other !== undefined) this.pair(item, other[1], [...at, other[0]])
    })
    for (const [index, item] of before.slice(after.length))
      if (item !== ignored) this.report('removed', [...at, index])
    for (const [index, item] of after.slice(before.length))
      if (item !== ignored) this.report('added', [...at, index])
  }

  private compareLists(before: readonly Kept[], after: readonly Kept[], at: Path): void {
    let [one, other] = [[...before.entries()], [...after.entries()]]
    const isSame = (left?: readonly [number, Kept], right?: readonly [number, Kept]): boolean =>
      left !== undefined && right !== undefined && identity(left[1], false) === identity(right[1], false)
    if (one.length !== other.length) {
      while (isSame(one[0], other[0])) [one, other] = [one.slice(1), other.slice(1)]
      while (isSame(one.at(-1), other.at(-1))) [one, other] = [one.slice(0, -1), other.slice(0, -1)]
    }
    this.rest(one, other, at)
  }

  private compareSets(before: readonly Kept[], after: readonly Kept[], at: Path): void {
    const without = (items: readonly Kept[], others: readonly Kept[]): (readonly [number, Kept])[] => {
      const open = others.map((other) => identity(other, true))
      return [...items.entries()].filter(([, item]) => {
        const found = open.indexOf(identity(item, true))
        if (found >= 0) open.splice(found, 1)
        return found < 0
      })
    }
    const [one, other] = [without(before, after), without(after, before)]
    if (one.length + other.length === 0) this.allowed += 1
    this.rest(one, other, at)
  }

  /** The text of what identifies each item, `null` for one that is ignored; `null` after a break. */
  private identities(
    items: readonly Kept[],
    names: readonly string[],
    at: Path,
  ): readonly (string | null)[] | null {
    const found: (string | null)[] = []
    for (const [index, item] of items.entries()) {
      if (item === ignored) {
        found.push(null)
        continue
      }
      const values = names.map((name) => (isObject(item) ? item.members[name] : undefined))
      const isWhole = values.every((value) => value !== undefined && !isArray(value) && !isObject(value))
      const text = values.map((value) => (value === undefined ? '' : plainText(value))).join('\n')
      if (!isWhole || found.includes(text)) {
        this.report('keys', [...at, index])
        return null
      }
      found.push(text)
    }
    return found
  }

  private compareKeyed(
    before: readonly Kept[],
    after: readonly Kept[],
    names: readonly string[],
    at: Path,
  ): void {
    const keys = this.identities(before, names, at)
    const newKeys = this.identities(after, names, at)
    if (keys === null || newKeys === null) return
    for (const [index, key] of newKeys.entries()) {
      if (key === null) continue
      const old = keys.indexOf(key)
      if (old < 0) this.report('added', [...at, index])
      else this.pair(before[old] ?? null, after[index] ?? null, [...at, index])
    }
    for (const [index, key] of keys.entries())
      if (key !== null && !newKeys.includes(key)) this.report('removed', [...at, index])
    const common = newKeys.filter((key) => key !== null && keys.includes(key)).map((key) => keys.indexOf(key))
    if (common.every((place, index) => index === 0 || place > (common[index - 1] ?? 0))) return
    if (this.contract.order === 'insignificant') this.allowed += 1
    else this.report('order', at)
  }

  private compareShapes(before: readonly Kept[], after: readonly Kept[], at: Path): void {
    const typesOf = (values: readonly Kept[]): string => {
      const names = values.map((value) =>
        isArray(value)
          ? 'array'
          : isObject(value)
            ? 'object'
            : isNumber(value)
              ? 'number'
              : value === null
                ? 'null'
                : typeof value,
      )
      return [...new Set(names)].sort().join(', ')
    }
    if (typesOf(before) !== typesOf(after)) this.report('shape', at)
    const keysOf = (values: readonly Kept[]): string[] =>
      values.flatMap((value) => (isObject(value) ? Object.keys(value.members) : []))
    const membersOf = (values: readonly Kept[], key: string): Kept[] =>
      values.flatMap((value) =>
        isObject(value) && value.members[key] !== undefined ? [value.members[key]] : [],
      )
    for (const key of new Set([...keysOf(before), ...keysOf(after)])) {
      const [one, other] = [membersOf(before, key), membersOf(after, key)]
      if (one.length === 0) this.report('added', [...at, key])
      else if (other.length === 0) this.report('removed', [...at, key])
      else this.compareShapes(one, other, [...at, key])
    }
    const itemsOf = (values: readonly Kept[]): Kept[] =>
      values.flatMap((value) => (isArray(value) ? value.filter((item: Kept) => item !== ignored) : []))
    const [one, other] = [itemsOf(before), itemsOf(after)]
    if (one.length > 0 && other.length > 0) this.compareShapes(one, other, [...at, '*'])
  }
}

import { expect, it } from 'vitest'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { judge } from '../judge.js'
import { parseContract } from '../parse-rules.js'
import { NaiveJudge } from './naive-judge.js'
import { isArray, type Plain, type PlainContract, plainText } from './plain-values.js'

const encoder = new TextEncoder()
const names = ['id', 'price', 'name', 'rows', 'tags'] as const
const numbers = [
  '1',
  '1.0',
  '2',
  '1.01',
  '0.99',
  '-1',
  '100',
  '101',
  '1e2',
  '0',
  '12345678901234567890',
  '12345678901234567891',
]

function randomScalar(random: Random): Plain {
  switch (random.below(6)) {
    case 0:
      return random.pick(['v1', 'v2', 'x', ''])
    case 1:
      return random.pick([null, true, false])
    default:
      return { number: random.pick(numbers) }
  }
}

function randomValue(random: Random, depth: number): Plain {
  const kind = depth === 0 ? 0 : random.below(5)
  if (kind <= 2) return randomScalar(random)
  const count = random.below(4)
  if (kind === 3) return Array.from({ length: count }, () => randomValue(random, depth - 1))
  return randomObject(random, depth - 1)
}

function randomObject(random: Random, depth: number): Plain {
  const kept = names.filter(() => random.below(2) === 0)
  return { members: Object.fromEntries(kept.map((name) => [name, randomValue(random, depth)])) }
}

/** Rows that keys identify, most of the time. */
function randomRows(random: Random): Plain {
  return Array.from({ length: random.below(5) }, (_row, at): Plain => {
    const id: Plain = { number: String(random.below(12) === 0 ? 0 : at) }
    return { members: { id, price: { number: random.pick(numbers) }, name: random.pick(['v1', 'x']) } }
  })
}

function randomDocument(random: Random): Plain {
  if (random.below(3) === 0) return randomValue(random, 3)
  return {
    members: {
      rows: randomRows(random),
      price: { number: random.pick(numbers) },
      tags: randomValue(random, 2),
    },
  }
}

/** A value with a few changes. */
function changed(random: Random, value: Plain): Plain {
  if (random.below(6) === 0) return randomValue(random, 2)
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Plain) => (random.below(12) === 0 ? [] : [maybe(random, item)]))
    if (random.below(5) === 0) items.reverse()
    return random.below(6) === 0 ? [...items, randomValue(random, 1)] : items
  }
  if (typeof value !== 'object' || value === null || !('members' in value)) return randomScalar(random)
  const members = Object.entries(value.members).filter(() => random.below(12) > 0)
  if (random.below(4) === 0) members.reverse()
  const kept = members.map(([name, member]) => [name, maybe(random, member)] as const)
  return { members: Object.fromEntries(kept) }
}

/** A document whose prices are others, and maybe its rows in another order: what contracts often allow. */
function nudged(random: Random, value: Plain): Plain {
  if (typeof value !== 'object' || value === null || !('members' in value)) return value
  const other = (price: Plain | undefined): Plain | undefined =>
    price === undefined || random.below(2) === 0 ? price : { number: random.pick(numbers) }
  const members = Object.entries(value.members).map(([name, member]): readonly [string, Plain] => {
    if (name === 'price') return [name, other(member) ?? member]
    if (name !== 'rows' || !Array.isArray(member)) return [name, member]
    const rows: Plain[] = member.map((row: Plain) => nudged(random, row))
    return [name, random.below(3) === 0 ? rows.reverse() : rows]
  })
  return { members: Object.fromEntries(members) }
}

function maybe(random: Random, value: Plain): Plain {
  return random.below(2) === 0 ? changed(random, value) : value
}

function randomPath(random: Random): string {
  const step = (): string => random.pick(['*', '0', '1', ...names])
  const common = ['/rows/*/price', '/rows/*/id', '/price', '/tags', '/rows/0/name', '/tags/*', '']
  if (random.below(2) === 0) return random.pick(common)
  return Array.from({ length: random.below(4) }, () => `/${step()}`).join('')
}

function some<Item>(random: Random, make: () => Item): readonly Item[] | undefined {
  return random.below(2) === 0 ? undefined : Array.from({ length: 1 + random.below(2) }, make)
}

function randomContract(random: Random): PlainContract {
  const isShape = random.below(6) === 0
  const limit = (): string => random.pick(['0.01', '1', '0', '1%', '0.5%', '100%'])
  const bounds = some(random, () => ({
    path: randomPath(random),
    ...(isShape || random.below(2) === 0
      ? { min: random.pick(['0', '1.0', '-5']) }
      : { change_max: limit() }),
    ...(random.below(2) === 0 ? { max: random.pick(['100', '1', '12345678901234567890']) } : {}),
  }))
  const shared = {
    ignore: some(random, () => randomPath(random)),
    pattern: some(random, () => ({ path: randomPath(random), matches: random.pick(['^v\\d$', '', 'x']) })),
    bounds,
  }
  if (isShape) return { compare: 'shape', ...shared }
  const wide = ['/price', '/rows/*/price'].map((path) => ({ path, absolute: '12345678901234567892' }))
  const near = some(random, () => {
    const one = limit()
    return { path: randomPath(random), ...(one.endsWith('%') ? { relative: one } : { absolute: one }) }
  })
  const tolerance = random.below(3) === 0 ? wide : near
  const keys =
    random.below(2) === 0 ? undefined : { '/rows': random.pick([['id'], ['id', 'name'], ['name']]) }
  return {
    ...shared,
    tolerance,
    keys,
    order: random.pick(['significant', 'insignificant'] as const),
  }
}

const isContainer = (value: Plain): boolean => /^[[{]/.test(plainText(value))

/** The same documents as texts that JSON holds: as JSON, and as lines where they can be. */
function* heldTexts(baseline: Plain, candidate: Plain): Generator<readonly [string, string]> {
  const held = (text: string): string => JSON.stringify({ text })
  const [one, other] = [held(plainText(baseline)), held(plainText(candidate))]
  if (isContainer(baseline)) yield [one, other]
  if (!isArray(baseline) || !isArray(candidate) || baseline.length < 2 || candidate.length === 1) return
  if (![...baseline, ...candidate].every(isContainer)) return
  const [lines, newLines] = [baseline, candidate].map((items) => items.map(plainText).join('\n'))
  yield [held(lines ?? ''), held(newLines ?? '')]
}

/** What the engine finds, compared with what the words of a contract say. */
export function randomContractsContract(rounds: number, firstSeed = 1): void {
  it(`are judged as the plainest program judges them: ${rounds} pairs`, () => {
    const verdicts = new Map<string, number>()
    for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
      const random = seededRandom(seed)
      const baseline = randomDocument(random)
      const candidates = [randomDocument, () => maybe(random, baseline), () => nudged(random, baseline)]
      const candidate = random.pick(candidates)(random)
      const contract: PlainContract = JSON.parse(JSON.stringify(randomContract(random)))
      const naive = new NaiveJudge(contract)
      const expected = naive.verdict(baseline, candidate)
      const texts = [baseline, candidate].map(plainText)
      const parsed = parseContract(encoder.encode(JSON.stringify(contract)))
      const found = judge(encoder.encode(texts[0]), encoder.encode(texts[1]), parsed, { as: 'json' })
      const shown = `seed ${seed}: ${texts.join(' to ')} by ${JSON.stringify(contract)}`
      expect(
        found.breaks.map(({ rule, pointer }) => `${rule} ${pointer}`),
        shown,
      ).toEqual(naive.breaks)
      expect(found.verdict, shown).toBe(expected)
      expect(found.counts, shown).toEqual({ breaks: naive.breaks.length, allowed: naive.allowed })
      for (const [one, other] of heldTexts(baseline, candidate)) {
        const again = judge(encoder.encode(one), encoder.encode(other), parsed)
        const places = again.breaks.map(({ rule, pointer }) => `${rule} ${pointer}`)
        expect([again.verdict, ...places], `${shown}, held as ${one}`).toEqual([expected, ...naive.breaks])
      }
      verdicts.set(expected, (verdicts.get(expected) ?? 0) + 1)
    }
    // Each verdict must come up often, or this would compare nothing.
    for (const verdict of ['same', 'allowed', 'breaks'])
      expect(verdicts.get(verdict), verdict).toBeGreaterThan(rounds / 50)
  }, 7_200_000)
}

import { expect, it } from 'vitest'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { compare } from '../compare.js'
import type { Change } from '../comparison.js'
import { toJsonPatch } from '../to-json-patch.js'
import { applyPatch, minifiedTree, parseTree, type Tree } from './json-reference.js'
import { changedTree, randomRows, randomTree, spelledTree } from './random-json.js'

/** Many pairs take a while, on a busy machine a long one. */
const timeoutMs = 600_000

const encoder = new TextEncoder()

/** Two documents: one and what changes have made of it, or any two. */
function randomPair(random: Random): readonly [Tree, Tree] {
  const tree = random.below(3) === 0 ? randomRows(random) : randomTree(random, 4)
  if (random.below(8) === 0) return [tree, randomTree(random, 3)]
  let changed = tree
  for (let change = random.below(5); change > 0; change -= 1) changed = changedTree(random, changed)
  return [tree, changed]
}

function eachPair(
  pairs: number,
  first: number,
  check: (one: string, other: string, random: Random) => void,
): void {
  for (let seed = first; seed < first + pairs; seed += 1) {
    const random = seededRandom(seed)
    const [one, other] = randomPair(random).map((tree) => spelledTree(random, tree))
    if (one !== undefined && other !== undefined) check(one, other, random)
  }
}

/** The same value with its members in any order, those of the same key in their own. */
function shuffled(random: Random, tree: Tree): Tree {
  if (tree.type === 'array') return { type: 'array', items: tree.items.map((item) => shuffled(random, item)) }
  if (tree.type !== 'object') return tree
  const places = new Map<string, number>()
  for (const [key] of tree.members) if (!places.has(key)) places.set(key, random.below(1_000))
  const place = (key: string): number => places.get(key) ?? 0
  const members = tree.members.map(([key, value]) => [key, shuffled(random, value)] as const)
  return { type: 'object', members: [...members].sort(([one], [other]) => place(one) - place(other)) }
}

/** A record that is identified by its number. */
interface KeyedRecord {
  readonly id: number
  readonly n: number
}

/** Some records, and the same in another order with some changed, gone and new. */
function randomRecords(random: Random): readonly [readonly KeyedRecord[], readonly KeyedRecord[]] {
  const records = Array.from({ length: random.below(9) }, (_record, id) => ({ id, n: 0 }))
  const newRecords = records
    .filter(() => random.below(5) > 0)
    .map((record) => (random.below(3) === 0 ? { ...record, n: 1 } : record))
  for (let fresh = random.below(3); fresh > 0; fresh -= 1) newRecords.push({ id: 100 + fresh, n: 0 })
  for (let move = random.below(4); move > 0 && newRecords.length > 0; move -= 1) {
    const [record] = newRecords.splice(random.below(newRecords.length), 1)
    if (record !== undefined) newRecords.splice(random.below(newRecords.length + 1), 0, record)
  }
  return [records, newRecords]
}

function recordsAsJson(records: readonly KeyedRecord[]): string {
  return JSON.stringify({ records })
}

function recordsAsCsv(records: readonly KeyedRecord[]): string {
  return `id,n\n${records.map(({ id, n }) => `${id},${n}\n`).join('')}`
}

/** The changes of records, found by looking each one up. */
function becomeOf(records: readonly KeyedRecord[], newRecords: readonly KeyedRecord[]) {
  const [old, now] = [records, newRecords].map((all) => new Map(all.map(({ id, n }) => [id, n])))
  const [ids, newIds] = [[...(old?.keys() ?? [])], [...(now?.keys() ?? [])]]
  return {
    removed: ids.filter((id) => now?.has(id) === false).length,
    added: newIds.filter((id) => old?.has(id) === false).length,
    changed: ids.filter((id) => now?.has(id) === true && now.get(id) !== old?.get(id)).length,
  }
}

/** The order of the records after these changes; records without a change keep theirs. */
function rebuilt(
  records: readonly KeyedRecord[],
  changes: readonly Change[],
  newRecords: readonly KeyedRecord[],
): readonly (number | undefined)[] {
  const placeOf = (pointer = ''): number => Number(pointer.split('/').at(-1))
  const leaving = changes
    .filter(({ op }) => op === 'remove' || op === 'move')
    .map(({ pointer }) => placeOf(pointer))
  const coming = changes.filter(({ op }) => op === 'add' || op === 'move')
  const rebuilding: (number | undefined)[] = records
    .map(({ id }) => id)
    .filter((_id, at) => !leaving.includes(at))
  const arrivals = coming
    .map(({ op, pointer, newPointer }) => {
      const to = placeOf(newPointer ?? pointer)
      return { to, id: op === 'add' ? newRecords[to]?.id : records[placeOf(pointer)]?.id }
    })
    .sort((one, other) => one.to - other.to)
  for (const { to, id } of arrivals) rebuilding.splice(to, 0, id)
  return rebuilding
}

/** Compares comparisons and patches of many random pairs of documents with those of a reference. */
export function randomPairsContract(pairs: number): void {
  it.each([false, true])(
    'the patch turns the first into the second (order counts: %s)',
    (order) => {
      eachPair(pairs, 1, (one, other) => {
        const patch = [...toJsonPatch(encoder.encode(one), encoder.encode(other), { order })].join('')
        const patched = minifiedTree(applyPatch(parseTree(one), patch), order)
        expect(patched, `${one}\n${other}\n${patch}`).toBe(minifiedTree(parseTree(other), order))
      })
    },
    timeoutMs,
  )

  it(
    'a difference is found where there is one, and only there',
    () => {
      eachPair(pairs, 1_000_000, (one, other) => {
        for (const order of [false, true]) {
          const isSame = minifiedTree(parseTree(one), order) === minifiedTree(parseTree(other), order)
          const { equal, changes } = compare(encoder.encode(one), encoder.encode(other), {
            as: 'json',
            order,
          })
          expect([equal, changes.length === 0], `${one}\n${other}`).toEqual([isSame, isSame])
        }
      })
    },
    timeoutMs,
  )

  it(
    'a document equals itself, however it is written and its members are ordered',
    () => {
      eachPair(pairs, 2_000_000, (one, _other, random) => {
        const again = spelledTree(random, shuffled(random, parseTree(one)))
        const { equal, changes } = compare(encoder.encode(one), encoder.encode(again), { as: 'json' })
        expect({ equal, changes }, `${one}\n${again}`).toEqual({ equal: true, changes: [] })
      })
    },
    timeoutMs,
  )

  it(
    'each record with a key has the change that it went through',
    () => {
      for (let seed = 3_000_000; seed < 3_000_000 + pairs; seed += 1) {
        const random = seededRandom(seed)
        const [records, newRecords] = randomRecords(random)
        for (const spell of [recordsAsJson, recordsAsCsv]) {
          const [one, other] = [spell(records), spell(newRecords)]
          const { summary, changes } = compare(encoder.encode(one), encoder.encode(other), { key: 'id' })
          const { moved, ...counts } = summary
          expect(counts, `${one}\n${other}`).toMatchObject(becomeOf(records, newRecords))
          expect(rebuilt(records, changes, newRecords), `${one}\n${other}`).toEqual(
            newRecords.map(({ id }) => id),
          )
          expect(moved).toBe(changes.filter(({ op }) => op === 'move').length)
        }
      }
    },
    timeoutMs,
  )
}

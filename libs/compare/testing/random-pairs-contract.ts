import { expect, it } from 'vitest'
import { type Random, seededRandom } from '../../testing/random.js'
import { compare } from '../compare.js'
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

/** Holds comparisons and patches to what a reference says of so many random pairs of documents. */
export function randomPairsContract(pairs: number): void {
  it.each([false, true])(
    'the patch turns the first into the second (order counts: %s)',
    (order) => {
      eachPair(pairs, 1, (one, other) => {
        const patch = toJsonPatch(encoder.encode(one), encoder.encode(other), { order })
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
}

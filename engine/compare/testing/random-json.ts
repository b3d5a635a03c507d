import type { Random } from '#libs/testing/random.js'
import type { Tree } from './json-reference.js'

const keys = ['id', 'name', 'a', 'b', 'a/b', 'm~n', '', 'é']
const words = [
  '0',
  '1',
  '1.0',
  '10e-1',
  '-0',
  '2',
  '9007199254740993',
  '9007199254740992',
  'true',
  'false',
  'null',
]
const strings = ['', 'a', 'a b', 'é', '"\\/', 'line\nfeed', '1', '😀', '\u0001']

/** A value with few different parts, so that there is much that two of them have in common. */
export function randomTree(random: Random, depth: number): Tree {
  const kind = random.below(depth === 0 ? 4 : 10)
  if (kind < 2) return { type: 'word', text: random.pick(words) }
  if (kind < 4) return { type: 'string', text: random.pick(strings) }
  const count = random.below(6)
  const children = Array.from({ length: count }, () => randomTree(random, depth - 1))
  if (kind < 7) return { type: 'array', items: children }
  const isRepeating = random.below(20) === 0
  const names = [...keys].sort(() => random.below(3) - 1)
  return {
    type: 'object',
    members: children.map((child, at) => [isRepeating ? random.pick(keys) : (names[at] ?? `${at}`), child]),
  }
}

/** Rows that a member identifies. */
export function randomRows(random: Random): Tree {
  const ids = [...Array(8).keys()].sort(() => random.below(3) - 1).slice(random.below(4))
  const items = ids.map((id): Tree => {
    const own: Tree = { type: 'word', text: String(id) }
    return {
      type: 'object',
      members: [
        ['id', own],
        ['v', randomTree(random, 1)],
      ],
    }
  })
  return { type: 'array', items }
}

function changedList<Item>(
  random: Random,
  items: readonly Item[],
  change: (item: Item) => Item,
  fresh: () => Item,
) {
  const at = random.below(items.length + 1)
  const item = items[at]
  switch (random.below(5)) {
    case 0:
      return items.toSpliced(at, 0, fresh())
    case 1:
      return items.toSpliced(at, 1 + random.below(2))
    case 2:
      return [...items.slice(at), ...items.slice(0, at)]
    default:
      return item === undefined ? items : items.with(at, change(item))
  }
}

/** A value with one change somewhere in it. */
export function changedTree(random: Random, tree: Tree): Tree {
  if (tree.type === 'string' || tree.type === 'word' || random.below(12) === 0) return randomTree(random, 2)
  if (tree.type === 'array') {
    const change = (item: Tree): Tree => changedTree(random, item)
    return { type: 'array', items: changedList(random, tree.items, change, () => randomTree(random, 1)) }
  }
  type Member = readonly [string, Tree]
  const change = ([key, value]: Member): Member => [key, changedTree(random, value)]
  const used = new Set(tree.members.map(([key]) => key))
  const unused = keys.find((key) => !used.has(key)) ?? 'more'
  const fresh = (): Member => [unused, randomTree(random, 1)]
  return { type: 'object', members: changedList(random, tree.members, change, fresh) }
}

function spelledString(random: Random, text: string): string {
  const plain = JSON.stringify(text)
  if (random.below(3) > 0) return plain
  const escaped = Array.from({ length: text.length }, (_unit, at) => text.charCodeAt(at))
  return `"${escaped.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

/** One of the ways to write a value: white space and escapes differ, members keep their order. */
export function spelledTree(random: Random, tree: Tree): string {
  const space = (): string => random.pick(['', '', '', ' ', '\n', '\t '])
  if (tree.type === 'string') return spelledString(random, tree.text)
  if (tree.type === 'word') return tree.text
  if (tree.type === 'array')
    return `[${space()}${tree.items.map((item) => spelledTree(random, item) + space()).join(`,${space()}`)}]`
  const members = tree.members.map(
    ([key, value]) =>
      `${spelledString(random, key)}${space()}:${space()}${spelledTree(random, value)}${space()}`,
  )
  return `{${space()}${members.join(`,${space()}`)}}`
}

import type { Random } from '#libs/testing/random.js'

const scalars = [
  '1',
  '0x1F',
  '12345678901234567890',
  '1.50',
  'true',
  '~',
  'plain text',
  "'it''s'",
  '"tab\\t \\u00e9"',
  'http://x.example/a?b=c',
  '007',
  '-',
  'é😀',
  '!!str 5',
]
const keys = ['a', 'b c', '"q: "', "'s'", 'é', '1', 'null', 'x-y']
const blocks = ['|\n%  one\n%    two\n', '>-\n%  folded\n%  text\n', '|+\n%  kept\n\n', '|2\n%    indented\n']

/** A key that is none of these yet. */
function freshKey(random: Random, seen: Set<string>): string {
  for (;;) {
    const key = random.below(4) === 0 ? `k${random.below(1_000)}` : random.pick(keys)
    if (seen.has(key)) continue
    seen.add(key)
    return key
  }
}

function flow(random: Random, depth: number): string {
  const kind = random.below(depth === 0 ? 1 : 3)
  if (kind === 0) return random.pick(['1', 'true', 'word', '"a, b"', "'x'", '1.50', 'null'])
  const items = Array.from({ length: random.below(4) }, () => flow(random, depth - 1))
  const gap = random.pick(['', ' '])
  if (kind === 1) return `[${gap}${items.join(random.pick([', ', ',  ']))}${gap}]`
  const seen = new Set<string>()
  return `{${gap}${items.map((item) => `${freshKey(random, seen)}: ${item}`).join(', ')}${gap}}`
}

/** Lines of a node behind a key or dash, from the space before it to the end of its last line. */
function node(random: Random, indent: string, depth: number, isItem: boolean): string {
  const kind = random.below(depth === 0 ? 3 : 6)
  const comment = random.pick(['', '', '', ' # note', '  #note: x'])
  if (kind === 0) return ` ${random.pick(scalars.filter((text) => text !== '-'))}${comment}\n`
  if (kind === 1) return ` ${flow(random, 2)}${comment}\n`
  if (kind === 2) return ` ${random.pick(blocks).replaceAll('%', indent)}`
  const inner = indent + random.pick(['  ', ' ', '    '])
  if (kind === 3 && !isItem && random.below(2) === 0)
    return `${comment}\n${sequence(random, indent, depth - 1)}`
  return `${comment}\n${kind < 5 ? sequence(random, inner, depth - 1) : mapping(random, inner, depth - 1)}`
}

function before(random: Random, indent: string): string {
  return random.pick(['', '', '', '', '\n', `${indent}# about what follows\n`])
}

function sequence(random: Random, indent: string, depth: number): string {
  const items = Array.from(
    { length: 1 + random.below(3) },
    () => `${indent}-${node(random, indent, depth, true)}`,
  )
  return items.join(before(random, indent))
}

function mapping(random: Random, indent: string, depth: number): string {
  const seen = new Set<string>()
  const members = Array.from(
    { length: 1 + random.below(3) },
    () => `${indent}${freshKey(random, seen)}:${node(random, indent, depth, false)}`,
  )
  return members.join(before(random, indent))
}

/** YAML as people write it: blocks and flows, comments, blank lines, uneven indentation, each style of scalars. */
export function randomYaml(random: Random): string {
  const head = random.pick(['', '', '---\n', '# head\n'])
  return head + (random.below(2) === 0 ? mapping(random, '', 3) : sequence(random, '', 3))
}

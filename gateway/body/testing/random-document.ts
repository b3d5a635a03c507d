import type { Random } from '#libs/testing/random.js'

const scalars = [
  '0',
  '-0',
  '1',
  '-12.5e+3',
  '1E400',
  '1.0',
  'true',
  'false',
  'null',
  '""',
  '"a"',
  '"é€😀"',
  '"\\u0000"',
]
const strings = [
  '"\\ud83d\\ude00"',
  '"\\udead"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"}],:{["',
  '"\x7f"',
  '"data"',
  '"\u2028"',
]
const keys = [
  '"tool"',
  '"title"',
  '"tags"',
  '"metadata"',
  '"data"',
  '"data"',
  '"d\\u0061ta"',
  '"t\\u006fol"',
  '"x"',
  '""',
]
const oddKeys = ['"__proto__"', '"constructor"', '"a/b"', '"~"', '"\\ud800"', '"é"', '"DATA"']
const spaces = ['', '', '', ' ', '\n', '\t\r\n ']
/** Mutations insert these: bytes that matter to the grammar, and invalid UTF-8. */
const pieces = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-',
  '.',
  'e',
  '+',
  't',
  'nul',
  ' ',
  '\0',
  '\u001f',
  '\\u',
  '\ufeff',
]
const invalid = [
  [0x80],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xff],
  [0xe2, 0x82],
  [0xc3],
]

function value(random: Random, depth: number): string {
  const kind = random.below(depth > 4 ? 2 : 5)
  const around = (text: string): string => random.pick(spaces) + text + random.pick(spaces)
  if (kind < 2) return around(random.pick(kind === 0 ? scalars : strings))
  const count = random.below(4)
  if (kind === 2)
    return around(`[${Array.from({ length: count }, () => value(random, depth + 1)).join(',')}]`)
  return around(object(random, depth + 1, count))
}

function object(random: Random, depth: number, count: number): string {
  const members = Array.from({ length: count }, () => {
    const key = random.pick(random.below(8) === 0 ? oddKeys : keys)
    const of =
      key === '"data"' && random.below(4) > 0
        ? object(random, depth + 1, random.below(4))
        : value(random, depth)
    return `${random.pick(spaces)}${key}${random.pick(spaces)}:${of}`
  })
  return `{${members.join(',')}${count === 0 ? random.pick(spaces) : ''}}`
}

function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([head, tail.subarray(1 + random.below(3))])
    case 1:
      return Buffer.concat([head, Buffer.from(random.pick(pieces)), tail])
    case 2:
      return Buffer.concat([head, Buffer.from(random.pick(pieces)), tail.subarray(1)])
    case 3:
      return Buffer.concat([head, Buffer.from(random.pick(invalid)), tail.subarray(random.below(2))])
    case 4:
      return head
    default:
      return Buffer.concat([head, bytes.subarray(random.below(bytes.length + 1)), tail])
  }
}

/** A request body with random mutations; most are invalid. */
export function randomDocument(random: Random): Buffer {
  const kind = random.below(20)
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(12) }, () => random.below(256)))
  const text =
    kind < 3
      ? value(random, 0)
      : random.pick(spaces) + object(random, 0, random.below(6)) + random.pick(spaces)
  let bytes: Buffer = Buffer.from(text)
  for (let count = kind < 12 ? random.below(4) : 0; count > 0; count--) bytes = mutate(bytes, random)
  return bytes
}

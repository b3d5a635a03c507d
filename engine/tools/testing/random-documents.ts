import type { Random } from '#libs/testing/random.js'

const numbers = [
  '0',
  '-0',
  '1.0',
  '1.50',
  '12345678901234567890',
  '9007199254740993',
  '1e400',
  '-1E-07',
  '0.1000',
  '2e+3',
]
const strings = [
  '""',
  '"a"',
  '"A"',
  '"\\u0061"',
  '"a b"',
  '"é"',
  '"\\u00e9"',
  '"\\ud83d\\ude00"',
  '"😀"',
  '"\\ud83d"',
  '"\\ude00\\ud83d"',
  '"\uffff"',
  '"\\/"',
  '"/"',
  '"\\"\\\\"',
  '"\\n\\u0000"',
  '"{[,:]}"',
  '"=1+1"',
  '"007"',
]
const words = ['true', 'false', 'null']

function randomValue(random: Random, depth: number, space: () => string): string {
  const kind = random.below(depth === 0 ? 3 : 6)
  if (kind === 0) return random.pick(numbers)
  if (kind === 1) return random.pick(strings)
  if (kind === 2) return random.pick(words)
  const count = random.below(5)
  const isObject = kind === 3 || kind === 4
  const parts = Array.from({ length: count }, () => {
    const key = isObject ? `${random.pick(strings)}${space()}:${space()}` : ''
    return `${key}${randomValue(random, depth - 1, space)}`
  })
  const inner = parts.join(`${space()},${space()}`)
  return isObject ? `{${space()}${inner}${space()}}` : `[${space()}${inner}${space()}]`
}

/** JSON that parsers change: long numbers, repeated keys, escapes that could be characters, and any white space. */
export function randomJson(random: Random, depth = 4): string {
  const space = (): string => random.pick(['', '', '', ' ', '\n', '\r\n\t', '   '])
  return space() + randomValue(random, depth, space) + space()
}

/** An array of random values. */
export function randomArray(random: Random): string {
  return `[${Array.from({ length: random.below(6) }, () => randomJson(random, 2)).join(',')}]`
}

const cells = [
  '',
  'a',
  '1',
  '1.50',
  '-2e3',
  '007',
  'x,y',
  'x;y',
  '"',
  'say "hi"',
  'line\nfeed',
  'cr\r',
  ' ',
  'é😀',
  '=1+1',
  '\t',
]

/** The cells of a table; every row has as many. */
export function randomTable(random: Random): readonly (readonly string[])[] {
  const width = 1 + random.below(5)
  const height = 1 + random.below(6)
  return Array.from({ length: height }, () => Array.from({ length: width }, () => random.pick(cells)))
}

/** A table as CSV, with quotes where they are needed and sometimes where not. */
export function spelledTable(
  random: Random,
  table: readonly (readonly string[])[],
  separator: string,
): string {
  const end = random.pick(['\n', '\r\n', '\r'])
  const cell = (text: string): string =>
    text === '' || /["\n\r,;\t|]/.test(text) || random.below(3) === 0
      ? `"${text.replaceAll('"', '""')}"`
      : text
  return table.map((row) => row.map(cell).join(separator) + end).join('')
}

/** The cells of CSV, read in the plainest way. */
export function cellsOf(csv: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < csv.length; ) {
    let text = ''
    if (csv[at] === '"') {
      at += 1
      while (csv[at] !== '"' || csv[at + 1] === '"') {
        if (csv[at] === '"') at += 1
        text += csv[at]
        at += 1
      }
      at += 1
    } else
      while (at < csv.length && csv[at] !== separator && csv[at] !== '\n' && csv[at] !== '\r')
        text += csv[at++]
    row.push(text)
    if (csv[at] === separator) {
      at += 1
      continue
    }
    at += csv[at] === '\r' && csv[at + 1] === '\n' ? 2 : 1
    rows.push(row)
    row = []
  }
  return rows
}

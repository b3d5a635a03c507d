/** Two documents to be compared. */
export interface DocumentPair {
  readonly first: Buffer
  readonly second: Buffer
}

/** About as long as an item of the arrays below. */
const itemBytes = 100

function item(id: number, note: number): string {
  const amount = ((id * 7_919) % 1_000_000) / 100
  const text = `order ${id} of customer number ${(id * 31) % 9_973}`
  return `{"id":${id},"text":"${text}","amount":${amount},"paid":${id % 3 === 0},"note":${note}}`
}

function arrayOf(count: number, itemAt: (index: number) => string): Buffer {
  return Buffer.from(`[${Array.from({ length: count }, (_item, at) => itemAt(at)).join(',')}]`)
}

/** Arrays of objects, the second with a hundred changes: values, items that are new and items that are gone. */
export function changedArrays(bytes: number): DocumentPair {
  const count = Math.floor(bytes / itemBytes)
  const step = Math.max(1, Math.floor(count / 100))
  const changed = Array.from({ length: count }, (_item, id) => {
    if (id % step !== step - 1) return item(id, 0)
    const kind = Math.floor(id / step) % 3
    return kind === 0 ? item(id, 1) : kind === 1 ? '' : `${item(id, 0)},${item(count + id, 0)}`
  })
  const second = Buffer.from(`[${changed.filter((text) => text !== '').join(',')}]`)
  return { first: arrayOf(count, (id) => item(id, 0)), second }
}

/** An array of digits, the most values that this many bytes can hold; with `change`, one in a thousand differs. */
function digits(bytes: number, change: boolean): Buffer {
  const text = Buffer.alloc(bytes | 1, ',')
  for (let at = 1, item = 0; at < text.length; at += 2, item += 1)
    text[at] = 0x30 + ((item * 7 + (change && item % 1_000 === 0 ? 1 : 0)) % 10)
  text.write('[', 0)
  text.write(']', text.length - 1)
  return text
}

/** Documents that could take long to compare, of about this many bytes each. */
export function worstPairs(bytes: number): Readonly<Record<string, () => DocumentPair>> {
  const count = Math.floor(bytes / itemBytes)
  const same = (id: number): string => item(id, 0)
  const letters = (letter: string): Buffer => Buffer.from(JSON.stringify(letter.repeat(bytes)))
  const repeated = (value: number): Buffer => {
    const members = Array.from(
      { length: Math.floor(bytes / 8) },
      (_member, at) => `"k${at % 7}":${(at + value) % 9}`,
    )
    return Buffer.from(`{${members.join(',')}}`)
  }
  return {
    'all different': () => ({
      first: arrayOf(count, same),
      second: arrayOf(count, (id) => same(id + 10_000_000)),
    }),
    'all equal': () => ({ first: arrayOf(count, same), second: arrayOf(count, same) }),
    reversed: () => ({ first: arrayOf(count, same), second: arrayOf(count, (at) => same(count - 1 - at)) }),
    'duplicate keys': () => ({ first: repeated(0), second: repeated(1) }),
    'tiny values': () => ({ first: digits(bytes, false), second: digits(bytes, true) }),
    'one huge string': () => ({ first: letters('a'), second: letters('b') }),
  }
}

import { drawSeed, hashWith } from './byte-hash.js'
import { createIdTable } from './id-table.js'

/**
 * The names in a key: separated by commas, or a JSON array of strings, for names that have commas.
 */
export function keyNames(key: string): readonly string[] {
  if (key.startsWith('['))
    try {
      const parsed: unknown = JSON.parse(key)
      if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((name) => typeof name === 'string'))
        return [...new Set(parsed)]
    } catch {
      // A name that begins with a bracket.
    }
  return [...new Set(key.split(','))]
}

/** A key in a message: `"day"`, `"day" and "shop"`. */
export function quotedNames(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(' and ')
}

/** Gives a number to each sequence of numbers, the same one to equal sequences of one length. */
export function createTupleIds(): (numbers: readonly number[]) => number {
  const { start, factor } = drawSeed()
  const tuples: (readonly number[])[] = []
  const table = createIdTable((known, candidate) => {
    const other = tuples[candidate]
    return tuples[known]?.every((number, at) => number === other?.[at]) === true
  })
  return (numbers) => {
    if (numbers.length === 1) return numbers[0] ?? 0
    const candidate = tuples.push(numbers) - 1
    const id = table.idOf(
      numbers.reduce((hash, number) => hashWith(hash, number, factor), start),
      candidate,
    )
    if (table.firstOf(id) !== candidate) tuples.pop()
    return id
  }
}

const identifier =
  /^_?(?:id|key|name|uuid|guid|code|sku|slug|email|login|username|isbn|iban)$|[\s_.-](?:id|key|uuid|guid|code|sku|no|nr|number)$|[a-z\d](?:Id|ID|Key|Uuid|UUID|Guid|Code|Sku|SKU|No|Nr|Number)$/

/** Whether a name is one that columns have that identify rows, such as `id`, `order_id` or `orderNumber`. */
export function looksLikeIdentifier(name: string): boolean {
  return identifier.test(name) || identifier.test(name.toLowerCase())
}

import type { CompareOptions } from '#engine/compare/comparison.js'

/** The options that someone chooses; the address of the page has them. */
export type ChosenOptions = Pick<CompareOptions, 'numbers' | 'order'> & {
  /** Empty for a guess. */
  readonly key: string
  readonly ignore: readonly string[]
}

const names = ['key', 'numbers', 'order', 'ignore'] as const

/** The options in the query of an address; those that are not understood are left out. */
export function parseOptions(query: URLSearchParams): ChosenOptions {
  return {
    key: query.get('key') ?? '',
    numbers: query.get('numbers') === 'value' ? 'value' : 'exact',
    order: query.get('order') === 'true',
    ignore: query.getAll('ignore').filter((pointer) => pointer !== ''),
  }
}

/** The query of an address with these options in place of those that it has. */
export function withOptions(
  query: URLSearchParams,
  { key, numbers, order, ignore }: ChosenOptions,
): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of names) changed.delete(name)
  if (key !== '') changed.set('key', key)
  if (numbers === 'value') changed.set('numbers', 'value')
  if (order === true) changed.set('order', 'true')
  for (const pointer of ignore) changed.append('ignore', pointer)
  return changed
}

/** The options for the engine. */
export function engineOptions({ key, numbers, order, ignore }: ChosenOptions): CompareOptions {
  return { numbers, order, ignore, ...(key === '' ? {} : { key }) }
}

/** JSON Pointers as someone has typed them, one on a line. */
export function readPointers(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('/') ? line : `/${line}`))
}

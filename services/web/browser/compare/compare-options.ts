import type { CompareOptions } from '#engine/compare/comparison.js'
import { commentPattern, skippedLinesMax } from '#engine/csv/line-skipper.js'
import { type EncodingName, encodingNames } from '#engine/encoding/encodings.js'

/** The options that someone chooses; the address of the page has them. */
export type ChosenOptions = Pick<CompareOptions, 'numbers' | 'order'> & {
  /** Empty for a guess. */
  readonly key: string
  readonly ignore: readonly string[]
  /** How CSV is read: empty and 0 for what has no comments and no lines above its table. */
  readonly quotes: 'strict' | 'lenient'
  readonly comment: string
  readonly skip: number
  /** Of files; `auto` goes by a byte order mark. */
  readonly encoding: 'auto' | EncodingName
}

/** What is so unless someone chooses otherwise. */
const defaults = {
  key: '',
  numbers: 'exact',
  quotes: 'strict',
  comment: '',
  skip: 0,
  encoding: 'auto',
} as const

/** The options in the query of an address; those that are not understood are left out. */
export function parseOptions(query: URLSearchParams): ChosenOptions {
  const comment = query.get('comment') ?? ''
  const skip = query.get('skip') ?? ''
  return {
    key: query.get('key') ?? '',
    numbers: query.get('numbers') === 'value' ? 'value' : 'exact',
    order: query.get('order') === 'true',
    ignore: query.getAll('ignore').filter((pointer) => pointer !== ''),
    quotes: query.get('quotes') === 'lenient' ? 'lenient' : 'strict',
    comment: commentPattern.test(comment) ? comment : '',
    skip: /^\d{1,4}$/.test(skip) ? Math.min(Number(skip), skippedLinesMax) : 0,
    encoding: encodingNames.find((name) => name === query.get('encoding')) ?? 'auto',
  }
}

/** The query of an address with these options in place of those that it has. */
export function withOptions(query: URLSearchParams, options: ChosenOptions): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of ['key', 'numbers', 'order', 'ignore', 'quotes', 'comment', 'skip', 'encoding'])
    changed.delete(name)
  for (const name of ['key', 'numbers', 'quotes', 'comment', 'skip', 'encoding'] as const)
    if (options[name] !== defaults[name]) changed.set(name, String(options[name]))
  if (options.order === true) changed.set('order', 'true')
  for (const pointer of options.ignore) changed.append('ignore', pointer)
  return changed
}

/** Whether any option is chosen. */
export function isAnyChosen(options: ChosenOptions): boolean {
  return withOptions(new URLSearchParams(), options).size > 0
}

/** The options for the engine. */
export function engineOptions({ key, encoding: _ofFiles, ...options }: ChosenOptions): CompareOptions {
  return { ...options, ...(key === '' ? {} : { key }) }
}

/** JSON Pointers as someone has typed them, one on a line. */
export function readPointers(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('/') ? line : `/${line}`))
}

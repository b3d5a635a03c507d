/**
 * A place in a document that a link can point to: a value by its JSON Pointer (`#/items/42/price`, RFC 6901
 * §6), a CSV cell by row and column, both from 1 with the header as row 1 (`#cell=43,3`, RFC 7111), or a line
 * from 1, of the formatted text (`#L42`), of the part's text as sent (`#source-L42`) or of all data
 * (`#sent-L42`), or a range of lines (`#L4-L9`). Cells and lines name their part if there are several (`#L42@/output`).
 */
export type DeepLink =
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number; readonly part?: string }
  | {
      readonly kind: 'line'
      readonly line: number
      /** The last line of a range. */
      readonly end?: number
      readonly form?: 'source' | 'sent'
      readonly part?: string
    }

const cell = /^cell=([1-9]\d{0,8}),([1-9]\d{0,8})(@.*)?$/s
const line = /^(?:(source|sent)-)?L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?(@.*)?$/s

const isPointer = /^\/(?:[^~]|~[01])*$/s

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}

function partOf(suffix: string | undefined): { readonly part?: string } | null {
  const part = suffix === undefined ? null : decoded(suffix.slice(1))
  if (suffix === undefined) return {}
  return part !== null && isPointer.test(part) ? { part } : null
}

/** The lines between two, in whichever order. */
export function lineRange(one: number, other: number): { readonly line: number; readonly end?: number } {
  return one === other ? { line: one } : { line: Math.min(one, other), end: Math.max(one, other) }
}

/** Parses a fragment without its `#`; `null` if it names no place. */
export function parseDeepLink(fragment: string): DeepLink | null {
  const [, row, column, cellPart] = cell.exec(fragment) ?? []
  if (row !== undefined && column !== undefined) {
    const part = partOf(cellPart)
    return part && { kind: 'cell', row: Number(row), column: Number(column), ...part }
  }
  const [, form, number, otherEnd, linePart] = line.exec(fragment) ?? []
  if (number !== undefined) {
    const part = partOf(linePart)
    const named = form === 'source' || form === 'sent' ? ({ form } as const) : {}
    const range = lineRange(Number(number), Number(otherEnd ?? number))
    return part && { kind: 'line', ...range, ...named, ...part }
  }
  const pointer = decoded(fragment)
  return pointer !== null && isPointer.test(pointer) ? { kind: 'pointer', pointer } : null
}

/** Keeps readable what RFC 3986 allows in a fragment besides letters and digits. */
function written(pointer: string): string {
  return encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')
}

/** The fragment for a place, without its `#`. */
export function formatDeepLink(place: DeepLink): string {
  if (place.kind === 'pointer') return written(place.pointer)
  const part = place.part === undefined ? '' : `@${written(place.part)}`
  if (place.kind === 'cell') return `cell=${place.row},${place.column}${part}`
  const end = place.end === undefined ? '' : `-L${place.end}`
  return `${place.form === undefined ? '' : `${place.form}-`}L${place.line}${end}${part}`
}

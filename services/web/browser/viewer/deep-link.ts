/**
 * A place in a document that a link can lead to: a value by its JSON Pointer (`#/items/42/price`, RFC 6901 §6), a cell of
 * CSV by row and column, both counted from 1 with the header as the first row (`#cell=43,3`, RFC 7111), or a line
 * counted from 1, of the text as it is shown (`#L42`) or as it was sent (`#sent-L42`).
 */
export type DeepLink =
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }
  | { readonly kind: 'line'; readonly line: number; readonly form?: 'sent' }

const cell = /^cell=([1-9]\d{0,8}),([1-9]\d{0,8})$/
const line = /^(sent-)?L([1-9]\d{0,8})$/

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}

/** The place that a fragment names, without its `#`; `null` for any other fragment. */
export function parseDeepLink(fragment: string): DeepLink | null {
  const [, row, column] = cell.exec(fragment) ?? []
  if (row !== undefined && column !== undefined)
    return { kind: 'cell', row: Number(row), column: Number(column) }
  const [, sent, number] = line.exec(fragment) ?? []
  if (number !== undefined)
    return { kind: 'line', line: Number(number), ...(sent === undefined ? {} : { form: 'sent' }) }
  const pointer = decoded(fragment)
  return pointer?.startsWith('/') === true && !/~(?![01])/.test(pointer) ? { kind: 'pointer', pointer } : null
}

/** The fragment that names a place, without its `#`. */
export function formatDeepLink(place: DeepLink): string {
  switch (place.kind) {
    case 'cell':
      return `cell=${place.row},${place.column}`
    case 'line':
      return `${place.form === 'sent' ? 'sent-' : ''}L${place.line}`
    case 'pointer':
      // What RFC 3986 allows in a fragment besides letters and digits stays readable.
      return encodeURI(place.pointer.toWellFormed()).replaceAll('#', '%23')
    default:
      return place satisfies never
  }
}

/** What of a line is shown, and as much space as there is before its wrong character. */
export interface LineExcerpt {
  readonly shown: string
  readonly before: string
}

const beforeMax = 40
const afterMax = 40

/**
 * The part of a line around a column, which counts characters from 1. Tabs stay tabs in the space before the character,
 * so that a mark stands below it; other control characters become one place each.
 */
export function excerptOf(line: string, column: number): LineExcerpt {
  // A pair of surrogates is one character. No more of the line is taken apart than is needed.
  const characters = [...line.slice(0, 2 * (column + afterMax))]
  const first = Math.max(0, column - 1 - beforeMax)
  const end = column - 1 + afterMax
  const visible = characters
    .slice(first, end)
    .map((one) => (/[\p{Cc}]/u.test(one) && one !== '\t' ? '\ufffd' : one))
  const cut = first > 0 ? '…' : ''
  const rest = end < characters.length ? '…' : ''
  const before = visible.slice(0, column - 1 - first).map((one) => (one === '\t' ? one : ' '))
  return { shown: `${cut}${visible.join('')}${rest}`, before: `${cut === '' ? '' : ' '}${before.join('')}` }
}

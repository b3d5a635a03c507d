import type { Line } from '../document/document-reader.js'

/** Lines of a text that are fetched when they are looked at, and forgotten when others are. */
export interface LineCache {
  /** The line, if it has been fetched. */
  get(line: number): Line | undefined
  /** Fetches the lines of this range that are missing, instead of those asked for before. */
  want(from: number, to: number): void
}

const pageLength = 200
const pagesMax = 40

/** A cache before `read`; `onLines` is told whenever more is there, `onFailure` once when reading fails. */
export function lineCache(
  read: (from: number, count: number) => Promise<readonly Line[]>,
  onLines: () => void,
  onFailure: (error: unknown) => void,
): LineCache {
  const pages = new Map<number, readonly Line[]>()
  let wanted: readonly number[] = []
  let busy = false

  const keep = (page: number, lines: readonly Line[]): void => {
    pages.set(page, lines)
    const [oldest] = [...pages.keys()].filter((other) => !wanted.includes(other))
    if (pages.size > pagesMax && oldest !== undefined) pages.delete(oldest)
  }

  /** One page at a time, so that a scroll bar that is dragged far asks for what it passes no more. */
  const fetchMissing = async (): Promise<void> => {
    if (busy) return
    busy = true
    for (let page = missing(); page !== undefined; page = missing()) {
      keep(page, await read(page * pageLength, pageLength))
      onLines()
    }
    busy = false
  }
  const missing = (): number | undefined => wanted.find((page) => !pages.has(page))

  return {
    get: (line) => pages.get(Math.floor(line / pageLength))?.[line % pageLength],
    want(from, to) {
      const first = Math.floor(from / pageLength)
      const count = Math.floor(Math.max(from, to - 1) / pageLength) - first + 1
      wanted = Array.from({ length: count }, (_, index) => first + index)
      fetchMissing().catch(onFailure)
    },
  }
}

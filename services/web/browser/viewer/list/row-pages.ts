/** Rows that are loaded page by page when they are first asked for; the pages asked for last are kept. */
export interface RowPages<Row> {
  /**
   * A row that has been loaded; otherwise its page is requested. Only a few are on their way at once: a list that is
   * dragged far asks again, for what it shows by then, whenever one of them has come.
   */
  get(row: number): Row | undefined
  /** A row as soon as it is there; `undefined` where there is none. */
  wait(row: number): Promise<Row | undefined>
}

/** Where rows come from, and who is told when some have come. */
export interface PageSource<Row> {
  load(from: number, count: number): Promise<readonly Row[]>
  onLoaded(): void
  onFailed(error: unknown): void
}

/** How many rows a page has. */
export const pageRows = 100

const pagesMax = 40
const comingMax = 3

/** Makes pages of which none is loaded yet. */
export function rowPages<Row>({ load, onLoaded, onFailed }: PageSource<Row>): RowPages<Row> {
  const loaded = new Map<number, readonly Row[]>()
  const coming = new Map<number, Promise<readonly Row[]>>()

  const keep = (page: number, rows: readonly Row[]): readonly Row[] => {
    coming.delete(page)
    loaded.set(page, rows)
    const [oldest] = loaded.keys()
    if (loaded.size > pagesMax && oldest !== undefined) loaded.delete(oldest)
    return rows
  }

  const ask = (page: number): Promise<readonly Row[]> => {
    const asked = coming.get(page) ?? load(page * pageRows, pageRows).then((rows) => keep(page, rows))
    if (!coming.has(page)) {
      coming.set(page, asked)
      asked.then(onLoaded, (error: unknown) => {
        coming.delete(page)
        onFailed(error)
      })
    }
    return asked
  }

  const rowsOf = (page: number): readonly Row[] | undefined => {
    const rows = loaded.get(page)
    if (rows === undefined) return undefined
    loaded.delete(page)
    loaded.set(page, rows)
    return rows
  }

  return {
    get(row) {
      const page = Math.floor(row / pageRows)
      const rows = rowsOf(page)
      // Who is to know of a failure has been told of it.
      if (rows === undefined && coming.size < comingMax) ask(page).catch(() => undefined)
      return rows?.[row % pageRows]
    },
    async wait(row) {
      const page = Math.floor(row / pageRows)
      return (rowsOf(page) ?? (await ask(page)))[row % pageRows]
    },
  }
}

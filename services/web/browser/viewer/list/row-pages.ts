/** Rows loaded in pages on demand; recently used pages are kept. */
export interface RowPages<Row> {
  /**
   * A loaded row; otherwise its page is requested. Only a few requests run at a time: a list dragged far asks
   * again, for what it shows by then, whenever one completes.
   */
  get(row: number): Row | undefined
  /** A row once it is loaded; `undefined` if there is none. */
  wait(row: number): Promise<Row | undefined>
}

/** Where rows come from, and the callback for when some have arrived. */
export interface PageSource<Row> {
  load(from: number, count: number): Promise<readonly Row[]>
  onLoaded(): void
  onFailed(error: unknown): void
}

/** Rows per page. */
export const pageRows = 100

const pagesMax = 40
const comingMax = 3

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
      // The failure has already been reported.
      if (rows === undefined && coming.size < comingMax) ask(page).catch(() => undefined)
      return rows?.[row % pageRows]
    },
    async wait(row) {
      const page = Math.floor(row / pageRows)
      return (rowsOf(page) ?? (await ask(page)))[row % pageRows]
    },
  }
}

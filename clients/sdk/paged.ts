/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** What a list is limited to: the query of its operation, without the cursor. */
export type ListFilter<Query> = {
  readonly [Name in Exclude<keyof NonNullable<Query>, 'cursor'>]?:
    | Readonly<NonNullable<Query>[Name]>
    | undefined
}

/** A list that is fetched page by page, at most one ahead. */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** One page: the first, or the one at this cursor. */
  page(cursor?: string | null): Promise<ListPage<Item>>
  /** Page by page. */
  pages(): AsyncIterable<readonly Item[]>
  /** The first items, at most so many; fetches no page ahead. */
  first(count: number): Promise<Item[]>
  /** All items, in memory. */
  all(): Promise<Item[]>
}

/** A list whose pages `fetchPage` gets by cursor, the first one by `null`. */
export function paged<Item>(fetchPage: (cursor: string | null) => Promise<ListPage<Item>>): Paged<Item> {
  async function* pages(): AsyncGenerator<readonly Item[], void, undefined> {
    let coming: Promise<ListPage<Item>> | null = fetchPage(null)
    while (coming !== null) {
      const page: ListPage<Item> = await coming
      coming = page.nextCursor === null ? null : fetchPage(page.nextCursor)
      // If the caller stops here, the prefetched page's failure does not matter.
      coming?.catch(() => {})
      yield page.items
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page
  }
  return {
    page: (cursor = null) => fetchPage(cursor),
    pages,
    [Symbol.asyncIterator]: items,
    async first(count) {
      const found: Item[] = []
      let cursor: string | null = null
      do {
        const page: ListPage<Item> = await fetchPage(cursor)
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== null && found.length < count)
      return found.slice(0, count)
    },
    async all() {
      const found: Item[] = []
      for await (const item of items()) found.push(item)
      return found
    },
  }
}

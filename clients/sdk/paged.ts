/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** A list that is fetched page by page, at most one ahead. */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncIterable<readonly Item[]>
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
    pages,
    [Symbol.asyncIterator]: items,
    async all() {
      const found: Item[] = []
      for await (const item of items()) found.push(item)
      return found
    },
  }
}

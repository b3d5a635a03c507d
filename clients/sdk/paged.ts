/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** A list that is read a page at a time, one ahead at most. */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncIterable<readonly Item[]>
  /** Everything, in memory. */
  all(): Promise<Item[]>
}

/** A list of which `fetchPage` gives the page behind a cursor, the first for `null`. */
export function paged<Item>(fetchPage: (cursor: string | null) => Promise<ListPage<Item>>): Paged<Item> {
  async function* pages(): AsyncGenerator<readonly Item[], void, undefined> {
    let coming: Promise<ListPage<Item>> | null = fetchPage(null)
    while (coming !== null) {
      const page: ListPage<Item> = await coming
      coming = page.nextCursor === null ? null : fetchPage(page.nextCursor)
      // Whoever stops here never asks for it, so its failure is no one's.
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

import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHiddenIds } from './hidden-ids.js'

/** A part of a list, and where it goes on; `null` at the end. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** A list that grows as more of it is requested. */
export interface CursorList<Item> {
  readonly items: readonly Item[]
  /** Nothing has arrived yet. */
  readonly isLoading: boolean
  /** What is shown is of another filter, and the response for this one is on its way. */
  readonly isRefreshing: boolean
  readonly error: Error | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  loadMore(): void
  retry(): void
}

const firstCursor: string | null = null

/** A list of the API by its cursors, without what is being deleted. While another filter loads, what was shown stays. */
export function useCursorList<Item extends { readonly id: string }>(
  queryKey: QueryKey,
  load: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<Item>>,
): CursorList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: firstCursor,
    getNextPageParam: ({ nextCursor }: ListPage<Item>) => nextCursor,
    placeholderData: (before) => before,
  })
  const hidden = useHiddenIds()
  const items = useMemo(
    () => query.data?.pages.flatMap((page) => page.items.filter(({ id }) => !hidden.has(id))) ?? [],
    [query.data, hidden],
  )
  return {
    items,
    isLoading: query.isPending,
    isRefreshing: query.isPlaceholderData,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  }
}

import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import type { ListPage, Paged } from '#sdk/exports.js'
import { type ApiCall, useApi } from './api-context.js'

const listeners = new Set<() => void>()
let hidden: ReadonlySet<string> = new Set()

function become(ids: ReadonlySet<string>): void {
  hidden = ids
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Hides records from all lists while their deletion is pending. */
export function hideRecords(ids: readonly string[]): void {
  become(new Set([...hidden, ...ids]))
}

/** Shows records again. */
export function showRecords(ids: readonly string[]): void {
  const shown = new Set(ids)
  become(new Set([...hidden].filter((one) => !shown.has(one))))
}

/** The ids of the hidden records. */
export function hiddenIds(): ReadonlySet<string> {
  return hidden
}

/** A list that loads more pages on request. */
export interface CursorList<Item> {
  readonly items: readonly Item[]
  /** Nothing has arrived yet. */
  readonly isLoading: boolean
  /** The items are of the previous filter; the new ones are loading. */
  readonly isRefreshing: boolean
  readonly error: Error | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  loadMore(): void
  retry(): void
}

const firstCursor: string | null = null

/**
 * A list of the API, page by page, without records that are being deleted. While another filter loads, the
 * old items stay.
 */
export function useCursorList<Item extends { readonly id: string }>(
  queryKey: QueryKey,
  call: ApiCall<Pick<Paged<Item>, 'page'>>,
): CursorList<Item> {
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => call(api, { signal }).page(pageParam),
    initialPageParam: firstCursor,
    getNextPageParam: ({ nextCursor }: ListPage<Item>) => nextCursor,
    placeholderData: (before) => before,
    // It would load every page again, one after the other.
    refetchOnWindowFocus: false,
  })
  const hidden = useSyncExternalStore(subscribe, hiddenIds)
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

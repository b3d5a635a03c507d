import type { ReactNode } from 'react'
import type { CursorList } from '../api/cursor-list.js'
import { LoadMore } from './load-more.js'
import { ProblemNotice } from './problem-notice.js'
import { LoadingState } from './states.js'

/** A list of the API as it stands: on its way, failed, empty, or its records with the way to more of them. */
export function RecordList<Item extends { readonly id: string }>({
  list,
  label,
  empty,
  children,
}: {
  readonly list: CursorList<Item>
  /** What the list is called. */
  readonly label: string
  /** What stands there when it has nothing. */
  readonly empty: ReactNode
  children(item: Item): ReactNode
}) {
  if (list.isLoading) return <LoadingState />
  if (list.items.length === 0 && list.error !== null)
    return <ProblemNotice error={list.error} onRetry={list.retry} />
  if (list.items.length === 0 && !list.hasMore) return empty
  return (
    <>
      <ul className="rows" aria-label={label} aria-busy={list.isRefreshing}>
        {list.items.map((item) => (
          <li className="row" key={item.id}>
            {children(item)}
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

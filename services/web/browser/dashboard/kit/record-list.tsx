import type { ReactNode } from 'react'
import { text } from '../../../texts/text.js'
import type { CursorList } from '../api/cursor-list.js'
import { Button } from './button.js'
import { Icon } from './icon.js'
import { ProblemNotice } from './problem-notice.js'
import { LoadingState } from './states.js'

/** The end of a list: a button to load more, or why that failed. */
function LoadMore({ list }: { list: CursorList<unknown> }) {
  if (list.error !== null) return <ProblemNotice error={list.error} onRetry={list.retry} />
  if (!list.hasMore) return null
  return (
    <div className="load-more">
      <Button isPending={list.isLoadingMore} onPress={list.loadMore}>
        {text('kit.loadMore')}
      </Button>
    </div>
  )
}

/** A list with one row for each item. */
export function Rows<Item extends { readonly id: string }>({
  items,
  label,
  isBusy = false,
  children,
}: {
  readonly items: readonly Item[]
  /** The list's accessible name. */
  readonly label: string
  readonly isBusy?: boolean
  children(item: Item): ReactNode
}) {
  return (
    <ul className="rows" aria-label={label} aria-busy={isBusy}>
      {items.map((item) => (
        <li className="row" key={item.id}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

/** A list of the API: loading, failed, empty, or its records with a button for more. */
export function RecordList<Item extends { readonly id: string }>({
  list,
  label,
  empty,
  children,
}: {
  readonly list: CursorList<Item>
  /** The list's accessible name. */
  readonly label: string
  /** Shown when the list is empty. */
  readonly empty: ReactNode
  children(item: Item): ReactNode
}) {
  if (list.isLoading) return <LoadingState />
  if (list.items.length === 0 && list.error !== null)
    return <ProblemNotice error={list.error} onRetry={list.retry} />
  if (list.items.length === 0 && !list.hasMore) return empty
  return (
    <>
      <Rows items={list.items} label={label} isBusy={list.isRefreshing}>
        {children}
      </Rows>
      <LoadMore list={list} />
    </>
  )
}

/** One record of a list: its title, a few facts, and its actions. */
export function RecordRow({
  title,
  facts,
  actions,
  details,
  children,
}: {
  readonly title: ReactNode
  readonly facts: Readonly<Record<string, ReactNode>>
  readonly actions: ReactNode
  /** Shown below the facts. */
  readonly details?: ReactNode
  /** Shown below the whole row. */
  readonly children?: ReactNode
}) {
  return (
    <>
      <div className="row-main">
        {title}
        <ul className="row-facts">
          {Object.entries(facts).map(([name, fact]) => (
            <li key={name}>{fact}</li>
          ))}
        </ul>
        {details}
      </div>
      <div className="row-actions">{actions}</div>
      {children}
    </>
  )
}

/** Deletes a record, or opens the dialog that asks first. */
export function DeleteButton({ label, onPress }: { readonly label: string; onPress(): void }) {
  return (
    <Button variant="quiet" size="icon" aria-label={label} onPress={onPress}>
      <Icon name="trash" />
    </Button>
  )
}

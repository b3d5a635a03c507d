import { memo, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { text } from '../../../texts/text.js'
import type { CursorList } from '../api/cursor-list.js'
import { Button } from './button.js'
import { Icon } from './icon.js'
import { ProblemNotice } from './problem-notice.js'
import { LoadingState } from './states.js'

/** How far below the window the end of a list may be when more is loaded. */
const nearEnd = '600px'

/** The end of a list: how much of it is shown, and a button for more, which need not be pressed; or why that failed. */
function LoadMore({ list, total }: { readonly list: CursorList<unknown>; readonly total: number | null }) {
  const end = useRef<HTMLDivElement>(null)
  const { items, hasMore, isLoadingMore, error } = list
  const count = items.length
  const loadMore = useEffectEvent(() => list.loadMore())
  const isWaiting = hasMore && !isLoadingMore && error === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page the end is elsewhere
  useEffect(() => {
    if (end.current === null || !isWaiting) return
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) loadMore()
      },
      { rootMargin: nearEnd },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [isWaiting, count])
  if (error !== null) return <ProblemNotice error={error} onRetry={list.retry} />
  if (!hasMore) return null
  return (
    <div className="load-more" ref={end}>
      <span>
        {total === null
          ? text('kit.loaded', { count })
          : text('kit.shownOf', { count, total: Math.max(total, count) })}
      </span>
      <Button size="small" isPending={isLoadingMore} onPress={list.loadMore}>
        {text('kit.loadMore')}
      </Button>
    </div>
  )
}

interface RowParts {
  readonly item: { readonly id: string }
  readonly isSelected: boolean
  /** Since the epoch: rows say how long ago things were, and whether they have ended. */
  readonly minute: number
  draw(): ReactNode
}

function Row({ item, isSelected, draw }: RowParts) {
  return (
    <li className={isSelected ? 'row row-selected' : 'row'} data-record={item.id}>
      {draw()}
    </li>
  )
}

/** Whether two rows show the same, whatever draws them. */
export function showTheSame(before: Omit<RowParts, 'draw'>, now: Omit<RowParts, 'draw'>): boolean {
  return before.item === now.item && before.isSelected === now.isSelected && before.minute === now.minute
}

/** A row of a list with a selection, of which selecting one renders one. */
const SelectableRow = memo(Row, showTheSame)

/** A list with one row for each item. */
export function Rows<Item extends { readonly id: string }>({
  items,
  label,
  look = 'rows',
  isBusy = false,
  selected,
  children,
}: {
  readonly items: readonly Item[]
  /** The list's accessible name. */
  readonly label: string
  /** Its class. */
  readonly look?: string
  readonly isBusy?: boolean
  /** With it a row is drawn again only when its item changes, its selection or the minute: what it calls must stay the same. */
  readonly selected?: ReadonlySet<string> | undefined
  children(item: Item): ReactNode
}) {
  const minute = Math.floor(Date.now() / 60_000)
  const RowKind = selected === undefined ? Row : SelectableRow
  return (
    <ul className={look} aria-label={label} aria-busy={isBusy}>
      {items.map((item) => (
        <RowKind
          key={item.id}
          item={item}
          isSelected={selected?.has(item.id) === true}
          minute={minute}
          draw={() => children(item)}
        />
      ))}
    </ul>
  )
}

/** A list of the API: loading, failed, empty, or its records, of which more are loaded near its end. */
export function RecordList<Item extends { readonly id: string }>({
  list,
  label,
  look,
  empty,
  total = null,
  selected,
  children,
}: {
  readonly list: CursorList<Item>
  /** The list's accessible name. */
  readonly label: string
  /** Its class. */
  readonly look?: string
  /** Shown when the list is empty. */
  readonly empty: ReactNode
  /** How many there are in all, if that is known. */
  readonly total?: number | null
  readonly selected?: ReadonlySet<string>
  children(item: Item): ReactNode
}) {
  if (list.isLoading) return <LoadingState />
  if (list.items.length === 0 && list.error !== null)
    return <ProblemNotice error={list.error} onRetry={list.retry} />
  if (list.items.length === 0 && !list.hasMore) return empty
  return (
    <>
      <Rows
        items={list.items}
        label={label}
        isBusy={list.isRefreshing}
        selected={selected}
        {...(look === undefined ? {} : { look })}
      >
        {children}
      </Rows>
      {selected !== undefined && (
        <span role="status" className="hidden">
          {selected.size > 0 && text('kit.selected', { count: selected.size })}
        </span>
      )}
      <LoadMore list={list} total={total} />
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

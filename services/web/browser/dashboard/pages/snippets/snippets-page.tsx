import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { snippetsKey } from '../../api/query-keys.js'
import { useCommands } from '../../frame/commands.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { RecordList } from '../../kit/record-list.js'
import { focusSearch } from '../../kit/search-field.js'
import { rowInHand, type Selection, useRowKeys, useSelection } from '../../kit/selection.js'
import { EmptyState } from '../../kit/states.js'
import { useLatest } from '../../kit/use-latest.js'
import { FileDrop } from './file-drop.js'
import { SelectedSnippets } from './many-snippets.js'
import { emptyStart, NewDialog, type NewStart } from './new-dialog.js'
import { type SnippetActions, useSnippetActions } from './snippet-actions.js'
import { isFiltering, readFilter, type SnippetFilter, writeFilter } from './snippet-filter.js'
import { rowId, SnippetRow } from './snippet-row.js'
import { SnippetToolbar } from './snippet-toolbar.js'

function NoSnippets({
  isFiltered,
  onClear,
  onNew,
}: {
  isFiltered: boolean
  onClear: () => void
  onNew: () => void
}) {
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title={text('snippets.noneTitle')}
        action={<Button onPress={onClear}>{text('snippets.clearFilter')}</Button>}
        about={text('snippets.none')}
      />
    )
  return (
    <EmptyState
      icon="snippets"
      title={text('snippets.emptyTitle')}
      action={
        <Button variant="primary" onPress={onNew}>
          {text('snippets.new')}
        </Button>
      }
      about={text('snippets.empty')}
      command="snipkeep save team.csv"
    />
  )
}

/** The filter of the list, kept in the URL. */
function useFilter(): readonly [SnippetFilter, (change: Partial<SnippetFilter>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (changes: Partial<SnippetFilter>) =>
      setSearch((before) => writeFilter({ ...readFilter(before), ...changes }), { replace: true }),
    [setSearch],
  )
  return [readFilter(search), change]
}

/** After a deletion, focuses the next snippet once the menu has closed. */
function focusNeighbour(shown: readonly SnippetSummary[], deleted: SnippetSummary): void {
  const index = shown.findIndex(({ id }) => id === deleted.id)
  const neighbour = shown[index + 1] ?? shown[index - 1]
  setTimeout(() => {
    const next = neighbour === undefined ? null : document.getElementById(rowId(neighbour.id))
    const target = next ?? document.querySelector<HTMLElement>('main h1')
    target?.focus()
  }, 100)
}

interface ListParts {
  readonly filter: SnippetFilter
  onFilter(change: Partial<SnippetFilter>): void
  onNew(): void
}

/** The keys of the list: they mean the row with the focus, or the one under the pointer. */
function useListKeys(selection: Selection, shown: readonly SnippetSummary[], actions: SnippetActions): void {
  const remove = (): void => {
    const snippet = shown.find(({ id }) => id === rowInHand())
    if (snippet !== undefined) actions.delete(snippet)
  }
  useRowKeys(selection)
  useCommands([
    { id: 'search', label: text('snippets.search'), icon: 'search', keys: '/', run: focusSearch },
    {
      id: 'delete-one',
      label: text('command.delete'),
      icon: 'trash',
      keys: '#',
      isKeysOnly: true,
      run: remove,
    },
  ])
}

function SnippetList({ filter, onFilter, onNew }: ListParts) {
  const list = useCursorList<SnippetSummary>([...snippetsKey, filter], (api, options) => {
    const { tool, tags, search } = filter
    const wanted = { tool: tool || undefined, tag: tags, q: search.trim() || undefined }
    return api.snippets.list({ ...wanted, include_data: false, limit: 100 }, options)
  })
  const total = useTotal(filter)
  const { actions, deleteAll, dialogs } = useSnippetActions((deleted) => focusNeighbour(list.items, deleted))
  const addTag = useLatest((tag: string) => onFilter({ tags: [...new Set([...filter.tags, tag])] }))
  const selection = useSelection(list.items)
  const selected = list.items.filter(({ id }) => selection.ids.has(id))
  useListKeys(selection, list.items, actions)
  return (
    <>
      {(list.items.length > 0 || isFiltering(filter)) && (
        <SnippetToolbar filter={filter} shown={list.items} onChange={onFilter} />
      )}
      <RecordList
        list={list}
        total={total}
        label={text('snippets.list')}
        look="rows grid snippets-grid"
        selected={selection.ids}
        empty={
          <NoSnippets
            isFiltered={isFiltering(filter)}
            onClear={() => onFilter({ tool: '', tags: [], search: '' })}
            onNew={onNew}
          />
        }
      >
        {(snippet) => <SnippetRow snippet={snippet} actions={actions} selection={selection} onTag={addTag} />}
      </RecordList>
      {selected.length > 0 && (
        <SelectedSnippets
          snippets={selected}
          onDelete={() => deleteAll(selected)}
          onClear={selection.clear}
        />
      )}
      {dialogs}
    </>
  )
}

/** How many snippets there are; unknown for those that a filter finds. */
function useTotal(filter: SnippetFilter): number | null {
  const used = useProfile({ isFresh: true }).data?.usage.snippets ?? null
  return isFiltering(filter) ? null : used
}

const pastedInto = 'input:not([type=checkbox],[type=radio]), textarea, [contenteditable=""]'

/** Whether what is pasted belongs to the page, and to no field or dialog of it. */
function isForPage({ target }: ClipboardEvent): boolean {
  const isInField = target instanceof Element && target.closest(pastedInto) !== null
  return !isInField && document.querySelector('.overlay') === null
}

/** Takes what is pasted anywhere on the page. */
function usePaste(onPaste: (pasted: NewStart) => void): void {
  const take = useEffectEvent(onPaste)
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (!isForPage(event)) return
      const file = event.clipboardData?.files[0] ?? null
      const pasted = event.clipboardData?.getData('text/plain') ?? ''
      if (file === null && pasted === '') return
      event.preventDefault()
      take({ file, text: pasted })
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
}

/** The page at `/dashboard/snippets`. Accepts a file dropped, and text pasted, anywhere on it. */
export function SnippetsPage() {
  const [filter, changeFilter] = useFilter()
  const [search, setSearch] = useSearchParams()
  const [adding, setAdding] = useState<NewStart | null>(null)
  const asked = search.has('new')
  const addEmpty = (): void => setAdding(emptyStart)
  usePaste(setAdding)
  const close = (): void => {
    setAdding(null)
    if (asked) setSearch(writeFilter(filter), { replace: true })
  }
  const first = adding ?? (asked ? emptyStart : null)
  return (
    <FileDrop onFiles={([file = null]) => setAdding({ file, text: '' })} label={text('snippets.dropNow')}>
      <PageHeading title={text('frame.snippets')} count={useProfile().data?.usage.snippets ?? null}>
        <Button variant="primary" onPress={addEmpty}>
          <Icon name="plus" />
          {text('snippets.new')}
        </Button>
      </PageHeading>
      <SnippetList filter={filter} onFilter={changeFilter} onNew={addEmpty} />
      {first !== null && <NewDialog start={first} onClose={close} />}
    </FileDrop>
  )
}

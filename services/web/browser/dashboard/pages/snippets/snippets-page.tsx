import { useCallback, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useCursorList } from '../../api/cursor-list.js'
import { snippetsKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { RecordList } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { FileDrop } from './file-drop.js'
import { NewDialog } from './new-dialog.js'
import { useSnippetActions } from './snippet-actions.js'
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

function SnippetList({ filter, onFilter, onNew }: ListParts) {
  const list = useCursorList<SnippetSummary>([...snippetsKey, filter], (api, options) => {
    const { tool, tags, search } = filter
    const wanted = { tool: tool || undefined, tag: tags, q: search.trim() || undefined }
    return api.snippets.list({ ...wanted, include_data: false, limit: 30 }, options)
  })
  const { actions, dialogs } = useSnippetActions((deleted) => focusNeighbour(list.items, deleted))
  const addTag = (tag: string): void => onFilter({ tags: [...new Set([...filter.tags, tag])] })
  return (
    <>
      {(list.items.length > 0 || isFiltering(filter)) && (
        <SnippetToolbar filter={filter} shown={list.items} onChange={onFilter} />
      )}
      <RecordList
        list={list}
        label={text('snippets.list')}
        empty={
          <NoSnippets
            isFiltered={isFiltering(filter)}
            onClear={() => onFilter({ tool: '', tags: [], search: '' })}
            onNew={onNew}
          />
        }
      >
        {(snippet) => <SnippetRow snippet={snippet} actions={actions} onTag={addTag} />}
      </RecordList>
      {dialogs}
    </>
  )
}

/** The page at `/dashboard/snippets`. Accepts a file dropped anywhere on it. */
export function SnippetsPage() {
  const [filter, changeFilter] = useFilter()
  const [adding, setAdding] = useState<{ readonly file: File | null } | null>(null)
  const addEmpty = (): void => setAdding({ file: null })
  return (
    <FileDrop onFiles={([file = null]) => setAdding({ file })} label={text('snippets.dropNow')}>
      <PageHeading title={text('frame.snippets')}>
        <Button variant="primary" onPress={addEmpty}>
          <Icon name="plus" />
          {text('snippets.new')}
        </Button>
      </PageHeading>
      <SnippetList filter={filter} onFilter={changeFilter} onNew={addEmpty} />
      {adding !== null && <NewDialog file={adding.file} onClose={() => setAdding(null)} />}
    </FileDrop>
  )
}

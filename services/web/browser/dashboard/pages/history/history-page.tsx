import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { HistoryEntry } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { historyKey } from '../../api/query-keys.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { PageHeading } from '../../frame/page-heading.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import { Button } from '../../kit/button.js'
import { RecordList } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { ToolSelect } from '../../kit/tool-select.js'
import { ClearHistoryDialog, clearWords } from './clear-history-dialog.js'
import { HistoryRow } from './history-row.js'

function Kept() {
  const profile = useProfile({ isFresh: true }).data
  if (profile === undefined) return text('kit.loading')
  const { limits, usage } = profile
  return limits.history === null
    ? text('history.keptAll', { count: usage.history })
    : text('history.keptLast', { limit: limits.history, used: usage.history })
}

function NoHistory({ tool }: { tool: string }) {
  return tool === '' ? (
    <EmptyState icon="history" title={text('history.none')}>
      {text('history.noneAbout')}
    </EmptyState>
  ) : (
    <EmptyState icon="search" title={text('history.noneOf', { tool })}>
      {text('history.noneOfAbout')}
    </EmptyState>
  )
}

/** The page at `/dashboard/history`. */
export function HistoryPage() {
  const [search, setSearch] = useSearchParams()
  const [isClearing, setClearing] = useState(false)
  const remove = useUndoableDelete({
    lists: historyKey,
    failed: text('history.deleteFailed'),
    remove: (api, id) => api.history.delete(id, { keepalive: true }),
  })
  const onDelete = ({ id }: HistoryEntry): void => {
    remove(id, text('history.deleted'))
    focusHeading()
  }
  const tool = search.get('tool') ?? ''
  const list = useCursorList([...historyKey, tool], (api, options) =>
    api.history.list({ tool: tool || undefined, limit: 30 }, options),
  )
  return (
    <>
      <PageHeading title={text('frame.history')} about={<Kept />}>
        {list.items.length > 0 && <Button onPress={() => setClearing(true)}>{clearWords(tool)}</Button>}
      </PageHeading>
      {(list.items.length > 0 || tool !== '') && (
        <div className="toolbar toolbar-state">
          <ToolSelect
            tool={tool}
            shown={list.items}
            onChange={(chosen) => setSearch(chosen === '' ? {} : { tool: chosen }, { replace: true })}
          />
        </div>
      )}
      <RecordList list={list} label={text('history.list')} empty={<NoHistory tool={tool} />}>
        {(entry) => <HistoryRow entry={entry} onDelete={onDelete} />}
      </RecordList>
      {isClearing && <ClearHistoryDialog tool={tool} onClose={() => setClearing(false)} />}
    </>
  )
}

import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { HistoryEntry } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { historyKey, profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { focusHeading, PageHeading } from '../../frame/page-heading.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import { Button } from '../../kit/button.js'
import { ApiDocsLink } from '../../kit/button-link.js'
import { Pairs } from '../../kit/fact-list.js'
import { Moment } from '../../kit/moment.js'
import { DeleteButton, RecordList, RecordRow } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { ToolSelect } from '../../kit/tool-select.js'

/** The metadata of an entry as pairs: strings as they are, other values as JSON. */
export function metadataFacts(metadata: Readonly<Record<string, unknown>> | null) {
  return Object.entries(metadata ?? {}).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  )
}

const shownFirst = 4

/** The metadata of an entry, collapsed to the first few pairs. */
function MetadataList({ metadata }: { metadata: Readonly<Record<string, unknown>> | null }) {
  const facts = metadataFacts(metadata)
  if (facts.length === 0) return null
  const rest = facts.slice(shownFirst)
  return (
    <div className="row-details">
      <Pairs facts={facts.slice(0, shownFirst)} />
      {rest.length > 0 && (
        <details>
          <summary>{text('history.more', { count: rest.length })}</summary>
          <Pairs facts={rest} />
        </details>
      )}
    </div>
  )
}

function titleOf({ title, action }: HistoryEntry): string {
  return title ?? action ?? text('history.untitled')
}

/** One entry of the history, with its metadata. */
function HistoryRow({
  entry,
  onDelete,
}: {
  readonly entry: HistoryEntry
  onDelete(entry: HistoryEntry): void
}) {
  const title = titleOf(entry)
  const action = entry.title === null || entry.action === null ? {} : { action: entry.action }
  return (
    <RecordRow
      title={<span className="row-title">{title}</span>}
      facts={{
        tool: <span className="badge">{entry.tool}</span>,
        ...action,
        at: <Moment at={entry.created_at} />,
      }}
      details={<MetadataList metadata={entry.metadata} />}
      actions={<DeleteButton label={text('shares.delete', { title })} onPress={() => onDelete(entry)} />}
    />
  )
}

/** The label of the button, here and in its dialog; an empty `tool` means all. */
function clearWords(tool: string): string {
  return tool === '' ? text('history.clear') : text('history.clearTool', { tool })
}

/** A button that clears the history of one tool, or all of it when `tool` is empty, after confirmation. */
function ClearHistoryDialog({ tool, onClose }: { readonly tool: string; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('history.clearTitle')}
      action={clearWords(tool)}
      change={(api) => api.history.clear({ tool: tool || undefined })}
      outdated={[historyKey, profileKey]}
      done={({ deleted: count }) => text('history.cleared', { count })}
      onClose={onClose}
    >
      <p>{tool === '' ? text('history.clearAll') : text('history.clearOne', { tool })}</p>
    </ConfirmChange>
  )
}

function Kept() {
  const profile = useProfile({ isFresh: true }).data
  if (profile === undefined) return text('kit.loading')
  const { limits, usage } = profile
  return limits.history === null
    ? text('history.keptAll', { count: usage.history })
    : text('history.keptLast', { limit: limits.history, used: usage.history })
}

function NoHistory({ tool, onAll }: { readonly tool: string; onAll(): void }) {
  return tool === '' ? (
    <EmptyState
      icon="history"
      title={text('history.none')}
      action={<ApiDocsLink />}
      about={text('history.noneAbout')}
    />
  ) : (
    <EmptyState
      icon="search"
      title={text('history.noneOf', { tool })}
      action={<Button onPress={onAll}>{text('filter.allTools')}</Button>}
      about={text('history.noneOfAbout')}
    />
  )
}

/** The page at `/dashboard/history`. */
export function HistoryPage() {
  const [search, setSearch] = useSearchParams()
  const [isClearing, setClearing] = useState(false)
  const remove = useUndoableDelete({
    lists: historyKey,
    remove: (api, id) => api.history.delete(id, { keepalive: true }),
  })
  const onDelete = (entry: HistoryEntry): void => {
    remove([{ id: entry.id, title: titleOf(entry) }], text('history.deleted'))
    focusHeading()
  }
  const tool = search.get('tool') ?? ''
  const show = (chosen: string): void => setSearch(chosen === '' ? {} : { tool: chosen }, { replace: true })
  const used = useProfile().data?.usage.history ?? null
  const list = useCursorList([...historyKey, tool], (api, options) =>
    api.history.list({ tool: tool || undefined, limit: 100 }, options),
  )
  return (
    <>
      <PageHeading title={text('frame.history')} count={used} about={<Kept />}>
        {list.items.length > 0 && <Button onPress={() => setClearing(true)}>{clearWords(tool)}</Button>}
      </PageHeading>
      {(list.items.length > 0 || tool !== '') && (
        <div className="toolbar-chips">
          <ToolSelect tool={tool} shown={list.items} onChange={show} />
        </div>
      )}
      <RecordList
        list={list}
        total={tool === '' ? used : null}
        label={text('history.list')}
        empty={<NoHistory tool={tool} onAll={() => show('')} />}
      >
        {(entry) => <HistoryRow entry={entry} onDelete={onDelete} />}
      </RecordList>
      {isClearing && <ClearHistoryDialog tool={tool} onClose={() => setClearing(false)} />}
    </>
  )
}

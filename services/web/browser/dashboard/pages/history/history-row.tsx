import type { HistoryEntry } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Moment } from '../../kit/moment.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { MetadataList } from './metadata-list.js'

/** One entry of the history, with its metadata. */
export function HistoryRow({
  entry,
  onDelete,
}: {
  readonly entry: HistoryEntry
  onDelete(entry: HistoryEntry): void
}) {
  const title = entry.title ?? entry.action ?? text('history.untitled')
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
      actions={<DeleteButton label={text('history.delete', { title })} onPress={() => onDelete(entry)} />}
    />
  )
}

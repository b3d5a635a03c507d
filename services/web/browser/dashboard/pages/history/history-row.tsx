import { text } from '../../../../texts/text.js'
import type { HistoryEntry } from '../../api/history.js'
import { Button } from '../../kit/button.js'
import { Facts } from '../../kit/facts.js'
import { Icon } from '../../kit/icon.js'
import { Moment } from '../../kit/moment.js'
import { MetadataList } from './metadata-list.js'

/** One entry of the history, with what was recorded beside it. */
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
    <>
      <div className="row-main">
        <span className="row-title">{title}</span>
        <Facts
          facts={{
            tool: <span className="badge">{entry.tool}</span>,
            ...action,
            at: <Moment at={entry.created_at} />,
          }}
        />
        <MetadataList metadata={entry.metadata} />
      </div>
      <div className="row-actions">
        <Button
          variant="quiet"
          size="icon"
          aria-label={text('history.delete', { title })}
          onPress={() => onDelete(entry)}
        >
          <Icon name="trash" />
        </Button>
      </div>
    </>
  )
}

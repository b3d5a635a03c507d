import { readableSize } from '#libs/core/readable-text.js'
import type { ListedShare } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Expiry, Moment } from '../../kit/moment.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { gateFacts } from './gate-facts.js'
import { shareTitle } from './share-title.js'

/** One share of the list; its title opens its page in a new tab. */
export function ShareRow({
  share,
  onDelete,
}: {
  readonly share: ListedShare
  onDelete(share: ListedShare): void
}) {
  const { tool, size_bytes: size, share_url: url, created_at: made, expires_at: end } = share
  const isDisabled = share.disabled_at !== null
  const title = shareTitle(share)
  const hasExpired = end !== null && Date.parse(end) <= Date.now()
  return (
    <RecordRow
      title={
        <a className="row-title" href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      }
      facts={{
        tool: <span className="badge">{tool}</span>,
        size: readableSize(size),
        made: <Moment at={made} />,
        expiry: isDisabled ? (
          <span className="row-over">{text('shares.disabled')}</span>
        ) : (
          <Expiry at={end} />
        ),
        ...gateFacts(share),
      }}
      actions={
        <>
          {!hasExpired && !isDisabled && (
            <span className="row-copy">
              <CopyButton value={url} label={text('shares.copy')} />
            </span>
          )}
          <DeleteButton label={text('shares.delete', { title })} onPress={() => onDelete(share)} />
        </>
      }
    />
  )
}

import { readableSize } from '#shared/core/readable-size.js'
import { text } from '../../../../texts/text.js'
import type { Share } from '../../api/shares.js'
import { Button } from '../../kit/button.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Facts } from '../../kit/facts.js'
import { Icon } from '../../kit/icon.js'
import { Expiry, Moment } from '../../kit/moment.js'
import { shareTitle } from './share-title.js'

/** One share of the list, which leads to its page in a tab of its own. */
export function ShareRow({ share, onDelete }: { readonly share: Share; onDelete(share: Share): void }) {
  const { tool, size_bytes: size, share_url: url, created_at: made, expires_at: end } = share
  const title = shareTitle(share)
  const hasExpired = end !== null && Date.parse(end) <= Date.now()
  return (
    <>
      <div className="row-main">
        <a className="row-title" href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
        <Facts
          facts={{
            tool: <span className="badge">{tool}</span>,
            size: readableSize(size),
            made: <Moment at={made} />,
            expiry: <Expiry at={end} />,
          }}
        />
      </div>
      <div className="row-actions">
        {!hasExpired && (
          <span className="row-copy">
            <CopyButton value={url} label={text('shares.copy')} />
          </span>
        )}
        <Button
          variant="quiet"
          size="icon"
          aria-label={text('shares.delete', { title })}
          onPress={() => onDelete(share)}
        >
          <Icon name="trash" />
        </Button>
      </div>
    </>
  )
}

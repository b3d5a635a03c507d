import { useId, useState } from 'react'
import type { ApiKey } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { Expiry } from '../../kit/moment.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { relativeTime } from '../../kit/relative-time.js'
import { KeyUsagePanel } from './key-usage-panel.js'
import { OldSecret } from './old-secret.js'

function whenOf(moment: string): { readonly when: string } {
  return { when: relativeTime(Date.parse(moment), Date.now()) }
}

/** One key of the list, with its usage chart on request. */
export function KeyRow({
  apiKey,
  onRotate,
  onRevoke,
}: {
  readonly apiKey: ApiKey
  /** Absent if keys cannot be rotated. */
  readonly onRotate: ((key: ApiKey) => void) | null
  onRevoke(key: ApiKey): void
}) {
  const usage = useId()
  const [isOpen, setOpen] = useState(false)
  const { name, prefix, last4, scopes, created_at: made, expires_at: end, last_used_at: used } = apiKey
  return (
    <RecordRow
      title={<span className="row-title">{name}</span>}
      facts={{
        key: <code className="mono">{`${prefix}…${last4}`}</code>,
        scopes: <span className="badge">{scopes.map((scope) => text(`keys.${scope}`)).join(', ')}</span>,
        made: text('keys.made', whenOf(made)),
        end: <Expiry at={end} />,
        used: used === null ? text('keys.neverUsed') : text('keys.lastUsed', whenOf(used)),
        requests: text('keys.requests', { count: apiKey.request_count }),
      }}
      actions={
        <>
          <Button size="small" aria-expanded={isOpen} aria-controls={usage} onPress={() => setOpen(!isOpen)}>
            {text('keys.usage')}
            <span className="hidden">{name}</span>
            <Icon name="down" />
          </Button>
          {onRotate !== null && (
            <Button size="small" onPress={() => onRotate(apiKey)}>
              {text('keys.rotate')}
              <span className="hidden">{name}</span>
            </Button>
          )}
          <DeleteButton label={text('keys.revoke', { name })} onPress={() => onRevoke(apiKey)} />
        </>
      }
    >
      {apiKey.previous !== null && <OldSecret apiKey={apiKey} old={apiKey.previous} />}
      <div className="row-more" id={usage} hidden={!isOpen}>
        {isOpen && <KeyUsagePanel apiKey={apiKey} />}
      </div>
    </RecordRow>
  )
}

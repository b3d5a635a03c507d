import { useId, useState } from 'react'
import type { ApiKey, ApiKeySecret } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { keysKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { Expiry } from '../../kit/moment.js'
import { Notice } from '../../kit/notice.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { relativeTime } from '../../kit/relative-time.js'
import { KeyUsagePanel } from './key-usage-panel.js'

const hourMs = 3_600_000

function whenOf(moment: string): { readonly when: string } {
  return { when: relativeTime(Date.parse(moment), Date.now()) }
}

/** Whether the old secret was used in the last hour, so that ending it would break something. */
function isStillUsed({ last_used_at: used }: Pick<ApiKeySecret, 'last_used_at'>, nowMs: number): boolean {
  return used !== null && nowMs - Date.parse(used) < hourMs
}

/**
 * The old secret of a key in rotation: how long it works, whether it is still used, and a button to end it.
 */
function OldSecret({ apiKey, old }: { readonly apiKey: ApiKey; readonly old: ApiKeySecret }) {
  const [isEnding, setEnding] = useState(false)
  const { prefix, last4, expires_at: end, last_used_at: used } = old
  const isUsed = isStillUsed(old, Date.now())
  return (
    <div className="row-more">
      <Notice tone={isUsed ? 'warning' : 'info'}>
        <p>
          {text('keys.oldSecret', { secret: `${prefix}…${last4}` })}:{' '}
          {end === null ? text('keys.oldWaits') : text('keys.oldEnds', whenOf(end))}{' '}
          {used !== null && isUsed ? text('keys.oldUsed', whenOf(used)) : text('keys.oldUnused')}
        </p>
        <Button size="small" onPress={() => setEnding(true)}>
          {text('keys.endOld')}
          <span className="hidden">{apiKey.name}</span>
        </Button>
      </Notice>
      {isEnding && (
        <ConfirmChange
          title={text('keys.endOldTitle')}
          action={text('keys.endOldAction')}
          change={(api) => api.keys.endPrevious(apiKey.id)}
          outdated={[keysKey]}
          done={() => text('keys.endedOld')}
          onClose={() => setEnding(false)}
        >
          <p>{text('keys.endOldAbout', { name: apiKey.name })}</p>
        </ConfirmChange>
      )}
    </div>
  )
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

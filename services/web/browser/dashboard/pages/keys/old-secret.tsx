import { useState } from 'react'
import type { ApiKey, ApiKeySecret } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { keysKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Button } from '../../kit/button.js'
import { Notice } from '../../kit/notice.js'
import { relativeTime } from '../../kit/relative-time.js'

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
export function OldSecret({ apiKey, old }: { readonly apiKey: ApiKey; readonly old: ApiKeySecret }) {
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

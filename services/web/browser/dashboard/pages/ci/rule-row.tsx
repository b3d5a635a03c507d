import { useId, useState } from 'react'
import type { TrustedPublisher } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Icon } from '../../kit/icon.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { relativeTime } from '../../kit/relative-time.js'
import { AttemptsPanel, ClaimList } from './attempts-panel.js'
import { issuerName } from './issuer-name.js'

function stateOf({ disabled_at: disabled, pinned }: TrustedPublisher): string {
  if (disabled !== null) return text('ci.stateDisabled')
  return text(pinned ? 'ci.stateOn' : 'ci.stateWaiting')
}

/** One rule of the list, with its attempts on request. */
export function RuleRow({
  rule,
  onDelete,
}: {
  readonly rule: TrustedPublisher
  onDelete(rule: TrustedPublisher): void
}) {
  const panel = useId()
  const [isOpen, setOpen] = useState(!rule.pinned)
  const { id, name, issuer, scopes, last_used_at: used } = rule
  const when = used === null ? '' : relativeTime(Date.parse(used), Date.now())
  return (
    <RecordRow
      title={<span className="row-title">{name}</span>}
      facts={{
        issuer: issuerName(issuer),
        state: <span className="badge">{stateOf(rule)}</span>,
        scopes: scopes.map((scope) => text(`keys.${scope}`)).join(', '),
        used: used === null ? text('keys.neverUsed') : text('keys.lastUsed', { when }),
        requests: text('keys.requests', { count: rule.request_count }),
      }}
      details={Object.keys(rule.claims).length > 0 && <ClaimList claims={rule.claims} />}
      actions={
        <>
          <CopyButton value={id} label={text('ci.copyId')} />
          <Button size="small" aria-expanded={isOpen} aria-controls={panel} onPress={() => setOpen(!isOpen)}>
            {text('ci.attempts')}
            <span className="hidden">{name}</span>
            <Icon name="down" />
          </Button>
          <DeleteButton label={text('ci.delete', { name })} onPress={() => onDelete(rule)} />
        </>
      }
    >
      <div className="row-more" id={panel} hidden={!isOpen}>
        {isOpen && <AttemptsPanel rule={rule} />}
      </div>
    </RecordRow>
  )
}

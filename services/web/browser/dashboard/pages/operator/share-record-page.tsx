import { useState } from 'react'
import { useParams } from 'wouter'
import type { OperatedShare, Snipkeep } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { operatorKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Check } from '../../kit/check.js'
import { FactList } from '../../kit/fact-list.js'
import { Loaded } from '../../kit/loaded.js'
import { Expiry, Moment } from '../../kit/moment.js'
import { dayOf } from '../../kit/relative-time.js'
import { gateFacts } from '../shares/gate-facts.js'
import { DecisionDialog } from './decision-dialog.js'
import { OperatorArea } from './operator-area.js'

function GateFacts({ share }: { readonly share: OperatedShare }) {
  return (
    <ul className="row-facts">
      {Object.entries(gateFacts(share)).map(([name, fact]) => (
        <li key={name}>{fact}</li>
      ))}
    </ul>
  )
}

/**
 * Closes the open reports of a share, and returns how many; `null` if that failed. The share is disabled by then, so
 * that it must not look as if nothing had been done.
 */
async function closeReports(api: Snipkeep, shareId: string, reason: string): Promise<number | null> {
  try {
    const open = await api.operator.reports({ share: shareId, state: 'open' }).all()
    for (const { id } of open) await api.operator.resolveReport(id, reason)
    return open.length
  } catch {
    return null
  }
}

/** Asks before a share is disabled or enabled again; with it, its open reports are closed on request. */
function ShareDialog({
  share: { id, open_reports: openReports },
  name,
  onClose,
}: {
  readonly share: OperatedShare
  readonly name: 'enable' | 'disable'
  onClose(): void
}) {
  const [closes, setCloses] = useState(true)
  const canClose = name === 'disable' && openReports > 0
  return (
    <DecisionDialog
      name={name}
      change={async (api, decision) => {
        await api.operator[`${name}Share`](id, decision)
        return canClose && closes ? closeReports(api, id, decision.reason) : 0
      }}
      done={(closed) => {
        if (closed === null) return text('operator.notClosed')
        return text(closed === 0 ? `operator.${name}Toast` : 'operator.disabledAndClosed', { count: closed })
      }}
      onClose={onClose}
    >
      {canClose && (
        <Check
          label={text('operator.closeReports', { count: openReports })}
          isSelected={closes}
          onChange={setCloses}
        />
      )}
    </DecisionDialog>
  )
}

function Details({ share }: { readonly share: OperatedShare }) {
  const [isAsking, setAsking] = useState(false)
  const isDisabled = share.state === 'disabled'
  const name = isDisabled ? 'enable' : 'disable'
  return (
    <>
      <FactList
        label={text('operator.share')}
        facts={{
          'shares.state': text(`operator.${share.state}`),
          'share.link': <span className="mono">{share.share_url}</span>,
          'share.size': readableSize(share.size_bytes),
          'operator.made': <Moment at={share.created_at} />,
          'snippets.expires': <Expiry at={share.expires_at} />,
          'operator.gate': share.gated === undefined ? null : <GateFacts share={share} />,
          'operator.views': share.views,
          'operator.openReports': share.open_reports,
          'operator.dataDeleted': share.data_deleted_at === null ? null : dayOf(share.data_deleted_at),
          'operator.suspended': share.account_suspended ? text('operator.yes') : null,
        }}
      />
      <div className="press-row">
        <Button variant={isDisabled ? 'primary' : 'danger'} onPress={() => setAsking(true)}>
          {text(`operator.${name}`)}
        </Button>
        <ButtonLink href={`/operator/accounts/${share.account_id}`}>{text('operator.toAccount')}</ButtonLink>
      </div>
      {isAsking && <ShareDialog share={share} name={name} onClose={() => setAsking(false)} />}
    </>
  )
}

/** The page at `/dashboard/operator/shares/{id}`. */
export function ShareRecordPage() {
  const { id = '' } = useParams<{ readonly id: string }>()
  const found = useApiQuery([...operatorKey, 'share', id], (api, options) => api.operator.share(id, options))
  const title =
    found.data === undefined || found.data.title === '' ? text('operator.share') : found.data.title
  return (
    <OperatorArea title={title}>
      <Loaded query={found} lines={4}>
        {(share) => <Details share={share} />}
      </Loaded>
    </OperatorArea>
  )
}

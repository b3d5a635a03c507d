import { useState } from 'react'
import { useParams } from 'wouter'
import type { OperatedAccountDetails } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { operatorKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { FactList } from '../../kit/fact-list.js'
import { Loaded } from '../../kit/loaded.js'
import { Moment } from '../../kit/moment.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { dayOf } from '../../kit/relative-time.js'
import { EmptyState } from '../../kit/states.js'
import { TextField } from '../../kit/text-field.js'
import { accountName } from './accounts-page.js'
import { DecisionDialog } from './decision-dialog.js'
import { OperatorArea } from './operator-area.js'

function GrantDialog({ id, onClose }: { readonly id: string; onClose(): void }) {
  const [days, setDays] = useState('365')
  return (
    <DecisionDialog
      name="grant"
      change={({ operator }, decision) =>
        operator.grantPlan(id, { ...decision, plan: 'pro', expires_in: Number(days) * 86_400 })
      }
      onClose={onClose}
    >
      <TextField
        label={text('operator.days')}
        description={text('operator.daysHint')}
        type="number"
        value={days}
        onChange={setDays}
      />
    </DecisionDialog>
  )
}

type Asked = 'suspend' | 'resume' | 'grant' | 'endGrant'

function Dialogs({ id, asked, onClose }: { readonly id: string; readonly asked: Asked; onClose(): void }) {
  if (asked === 'grant') return <GrantDialog id={id} onClose={onClose} />
  return (
    <DecisionDialog<unknown>
      name={asked}
      tellsOwner={asked !== 'endGrant'}
      change={({ operator }, decision) =>
        asked === 'endGrant' ? operator.endPlanGrant(id, decision.reason) : operator[asked](id, decision)
      }
      onClose={onClose}
    />
  )
}

function Details({ account }: { readonly account: OperatedAccountDetails }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const { id, usage, billing, suspended_at: suspendedAt } = account
  const until = billing?.granted_until ?? null
  const next = suspendedAt === null ? 'suspend' : 'resume'
  return (
    <>
      <FactList
        label={text('operator.account')}
        facts={{
          'profile.id': <span className="mono">{id}</span>,
          'operator.issuer': `${account.issuer} · ${account.subject}`,
          'frame.plan': text(`plan.${account.plan}`),
          'operator.subscription': billing === null ? null : billing.status,
          'operator.granted': until === null ? null : dayOf(until),
          'operator.made': <Moment at={account.created_at} />,
          'operator.signedIn': <Moment at={account.signed_in_at} />,
          'frame.snippets': usage.snippets,
          'frame.shares': usage.shares,
          'operator.stored': readableSize(usage.stored_bytes),
          'frame.keys': usage.api_keys,
          'plan.contracts': usage.contracts,
          'operator.pendingChecks': usage.pending_checks,
          'operator.suspended': suspendedAt === null ? null : <Moment at={suspendedAt} />,
          'operator.suspensionReason': account.suspension_reason,
          'operator.erasedAfter': account.erased_after === null ? null : dayOf(account.erased_after),
        }}
      />
      <div className="press-row">
        <Button variant={suspendedAt === null ? 'danger' : 'primary'} onPress={() => setAsked(next)}>
          {text(`operator.${next}`)}
        </Button>
        {billing !== null && <Button onPress={() => setAsked('grant')}>{text('operator.grant')}</Button>}
        {until !== null && <Button onPress={() => setAsked('endGrant')}>{text('operator.endGrant')}</Button>}
        <ButtonLink href={`/operator/acts?account=${id}`}>{text('operator.acts')}</ButtonLink>
      </div>
      {asked !== null && <Dialogs id={id} asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function Shares({ id }: { readonly id: string }) {
  const list = useCursorList([...operatorKey, 'shares', id], (api, options) =>
    api.operator.accountShares(id, { limit: 30 }, options),
  )
  return (
    <section aria-labelledby="account-shares">
      <h2 id="account-shares">{text('frame.shares')}</h2>
      <RecordList
        list={list}
        label={text('frame.shares')}
        empty={<EmptyState icon="shares" title={text('operator.noShares')} />}
      >
        {(share) => (
          <RecordRow
            title={<span className="row-title">{share.title === '' ? share.id : share.title}</span>}
            facts={{
              tool: <span className="badge">{share.tool}</span>,
              size: readableSize(share.size_bytes),
              made: <Moment at={share.created_at} />,
            }}
            actions={
              <ButtonLink href={`/operator/shares/${share.id}`} size="small">
                {text('operator.toShare')}
                <span className="hidden">{share.title}</span>
              </ButtonLink>
            }
          />
        )}
      </RecordList>
    </section>
  )
}

/** The page at `/dashboard/operator/accounts/{id}`. */
export function AccountPage() {
  const { id = '' } = useParams<{ readonly id: string }>()
  const found = useApiQuery([...operatorKey, 'account', id], (api, options) =>
    api.operator.account(id, options),
  )
  const title = found.data === undefined ? text('operator.account') : accountName(found.data)
  return (
    <OperatorArea title={title}>
      <Loaded query={found} lines={6}>
        {(account) => (
          <>
            <Details account={account} />
            <Shares id={id} />
          </>
        )}
      </Loaded>
    </OperatorArea>
  )
}

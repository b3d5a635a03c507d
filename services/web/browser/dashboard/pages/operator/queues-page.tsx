import { useQuery } from '@tanstack/react-query'
import type { QueueList } from '#sdk/exports.js'
import { type TextName, text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { operatorKey } from '../../api/query-keys.js'
import { Moment } from '../../kit/moment.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { RecordRow } from '../../kit/record-list.js'
import { LoadingState } from '../../kit/states.js'
import { FactList } from './fact-list.js'
import { OperatorArea } from './operator-area.js'

const names: Readonly<Record<string, TextName>> = {
  events: 'operator.queueEvents',
  audit_entries: 'operator.queueAudit',
  plan_deliveries: 'operator.queuePlans',
  provider_events: 'operator.queuePayments',
}

function Payments({ payments }: { readonly payments: NonNullable<QueueList['payments']> }) {
  const last = payments.last_event_at
  return (
    <FactList
      label={text('operator.payments')}
      facts={{
        'operator.provider': payments.provider ?? null,
        'operator.lastEvent': typeof last === 'string' ? <Moment at={last} /> : text('operator.never'),
        'operator.liveSubscriptions': payments.live_subscriptions ?? null,
        'operator.pastDue': payments.past_due_subscriptions ?? null,
        'operator.refunds': payments.waiting_refunds ?? null,
        'operator.wrongMode': payments.wrong_mode_events ?? null,
        'operator.grants': payments.plan_grants ?? null,
      }}
    />
  )
}

function Shown({ state }: { readonly state: QueueList }) {
  return (
    <>
      {state.unavailable.map((service) => (
        <Notice key={service} tone="warning">
          <p>{text('operator.unavailable', { service })}</p>
        </Notice>
      ))}
      <ul className="rows" aria-label={text('operator.queues')}>
        {state.queues.map(({ service, name, waiting, failing, oldest_at: oldest }) => {
          const known = names[name]
          return (
            <li className="row" key={`${service}/${name}`}>
              <RecordRow
                title={<span className="row-title">{known === undefined ? name : text(known)}</span>}
                facts={{
                  service: <span className="badge">{service}</span>,
                  waiting: text('operator.waiting', { count: waiting }),
                  failing: text('operator.failing', { count: failing }),
                  oldest: oldest === null ? null : <Moment at={oldest} />,
                }}
                actions={null}
              />
            </li>
          )
        })}
      </ul>
      {state.payments !== null && <Payments payments={state.payments} />}
    </>
  )
}

/** The page at `/dashboard/operator/queues`. */
export function QueuesPage() {
  const api = useApi()
  const found = useQuery({
    queryKey: [...operatorKey, 'queues'],
    queryFn: ({ signal }) => api.operator.queues({ signal }),
    refetchInterval: 5_000,
  })
  return (
    <OperatorArea title={text('operator.queues')} about={text('operator.queuesAbout')}>
      {found.data !== undefined ? (
        <Shown state={found.data} />
      ) : found.error !== null ? (
        <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingState lines={3} />
      )}
    </OperatorArea>
  )
}

import type { QueueList } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { operatorKey } from '../../api/query-keys.js'
import { FactList } from '../../kit/fact-list.js'
import { Loaded } from '../../kit/loaded.js'
import { Moment } from '../../kit/moment.js'
import { Notice } from '../../kit/notice.js'
import { RecordRow, Rows } from '../../kit/record-list.js'
import { OperatorArea } from './operator-area.js'

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
      <Rows
        items={state.queues.map((queue) => ({ ...queue, id: `${queue.service}/${queue.name}` }))}
        label={text('operator.queues')}
      >
        {({ service, name, waiting, failing, oldest_at: oldest }) => (
          <RecordRow
            title={<span className="row-title">{knownText(`queue.${name}`) ?? name}</span>}
            facts={{
              service: <span className="badge">{service}</span>,
              ...(waiting === 0 && failing === 0
                ? { idle: text('operator.idle') }
                : {
                    waiting: text('operator.waiting', { count: waiting }),
                    failing: text('operator.failing', { count: failing }),
                  }),
              oldest: oldest === null ? null : <Moment at={oldest} />,
            }}
            actions={null}
          />
        )}
      </Rows>
      {state.payments !== null && <Payments payments={state.payments} />}
    </>
  )
}

/** The page at `/dashboard/operator/queues`. */
export function QueuesPage() {
  const found = useApiQuery([...operatorKey, 'queues'], (api, options) => api.operator.queues(options), {
    refetchInterval: 5_000,
  })
  return (
    <OperatorArea title={text('operator.queues')} about={text('operator.queuesAbout')}>
      <Loaded query={found} lines={3}>
        {(state) => <Shown state={state} />}
      </Loaded>
    </OperatorArea>
  )
}

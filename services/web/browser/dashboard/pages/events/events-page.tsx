import { Link, useSearchParams } from 'wouter'
import type { Event as AccountEvent } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useCursorList } from '../../api/cursor-list.js'
import { eventsKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ApiDocsLink, ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { type Choice, Select } from '../../kit/select.js'
import { EmptyState } from '../../kit/states.js'
import { eventTitle, principalWords } from './event-words.js'

type Group = 'all' | 'key' | 'trust' | 'share' | 'snippet' | 'check' | 'limit' | 'account'

const groups: readonly Choice<Group>[] = [
  { id: 'all', label: text('events.all') },
  { id: 'key', label: text('frame.keys') },
  { id: 'trust', label: text('plan.trustedPublishers') },
  { id: 'share', label: text('frame.shares') },
  { id: 'snippet', label: text('frame.snippets') },
  { id: 'check', label: text('check.list') },
  { id: 'limit', label: text('events.limits') },
  { id: 'account', label: text('events.account') },
]

function EventRow({ event }: { readonly event: AccountEvent }) {
  const { type, detail, created_at: at } = event
  const { prefix, last4, check } = detail
  const secret =
    typeof prefix === 'string' && typeof last4 === 'string'
      ? { secret: <code className="mono">{`${prefix}…${last4}`}</code> }
      : {}
  return (
    <RecordRow
      title={
        typeof check === 'string' ? (
          <Link className="row-title" href={`/checks/${check}`}>
            {eventTitle(event)}
          </Link>
        ) : (
          <span className="row-title">{eventTitle(event)}</span>
        )
      }
      facts={{
        type: <span className="badge">{type}</span>,
        by: principalWords(event),
        ...secret,
        at: <Moment at={at} />,
      }}
      actions={null}
    />
  )
}

function NoEvents({ onAll }: { readonly onAll: (() => void) | null }) {
  const share = <ButtonLink href="/shares">{text('frame.shares')}</ButtonLink>
  return (
    <EmptyState
      icon="history"
      title={text('events.none')}
      action={onAll === null ? share : <Button onPress={onAll}>{text('events.all')}</Button>}
      about={text('events.noneAbout')}
    />
  )
}

/** The page at `/dashboard/events`. */
export function EventsPage() {
  const [search, setSearch] = useSearchParams()
  const chosen = groups.find(({ id }) => id === search.get('type'))?.id ?? 'all'
  const show = (id: string): void => setSearch(id === 'all' ? {} : { type: id }, { replace: true })
  const list = useCursorList([...eventsKey, chosen], (api, options) =>
    api.events.list({ type: chosen === 'all' ? undefined : chosen, limit: 30 }, options),
  )
  return (
    <>
      <PageHeading title={text('frame.events')} about={text('events.about')}>
        <ApiDocsLink />
      </PageHeading>
      <div className="toolbar-chips">
        <Select
          isLabelHidden
          isChip
          label={text('events.show')}
          choices={groups}
          value={chosen}
          onChange={show}
        />
      </div>
      <RecordList
        list={list}
        label={text('events.list')}
        empty={<NoEvents onAll={chosen === 'all' ? null : () => show('all')} />}
      >
        {(event) => <EventRow event={event} />}
      </RecordList>
    </>
  )
}

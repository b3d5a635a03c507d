import { useState } from 'react'
import { Link } from 'wouter'
import type { CheckSummary, SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { type CursorList, useCursorList } from '../../api/cursor-list.js'
import { checksKey } from '../../api/query-keys.js'
import { Moment } from '../../kit/moment.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { type Choice, Select } from '../../kit/select.js'
import { countWords, stateWord, verdictWords } from '../checks/check-words.js'
import { makerWords } from './revision-list.js'

type Filter = 'all' | 'pending'

const filters: readonly Choice<Filter>[] = [
  { id: 'all', label: text('shares.all') },
  { id: 'pending', label: text('check.pending') },
]

/** The checks of a snippet, all of them or those that wait for a decision. */
export function useChecks(id: string, filter: Filter): CursorList<CheckSummary> {
  return useCursorList([...checksKey(id), filter], (api, options) =>
    api.checks.list(id, { state: filter === 'pending' ? filter : undefined, limit: 10 }, options),
  )
}

function CheckRow({ check }: { readonly check: CheckSummary }) {
  const { id, verdict, created_at: at, state } = check
  return (
    <RecordRow
      title={
        <Link className="row-title" href={`/checks/${id}`}>
          <span className="verdict" data-verdict={verdict}>
            {verdictWords(check)}
          </span>
        </Link>
      }
      facts={{
        state: <span className={state === 'pending' ? 'badge badge-due' : 'badge'}>{stateWord(check)}</span>,
        counts: countWords(check).join(', '),
        at: <Moment at={at} />,
        by: makerWords(check),
      }}
      actions={null}
    />
  )
}

function NoChecks({ snippet: { id, name }, filter }: { readonly snippet: SnippetSummary; filter: Filter }) {
  if (filter === 'pending') return <p className="quiet">{text('check.nonePending')}</p>
  return (
    <>
      <p className="quiet">{text('check.none')}</p>
      <pre className="rules">{`snipkeep check FILE --against ${name === undefined ? id : `@${name}`}`}</pre>
    </>
  )
}

/** The checks of a snippet: how each was judged, and what has become of it. */
export function CheckList({ snippet }: { readonly snippet: SnippetSummary }) {
  const [filter, setFilter] = useState<Filter>('all')
  const list = useChecks(snippet.id, filter)
  return (
    <section aria-labelledby="checks">
      <div className="revisions-head">
        <h2 id="checks">{text('check.list')}</h2>
        <Select
          isLabelHidden
          isChip
          label={text('events.show')}
          choices={filters}
          value={filter}
          onChange={(chosen) => setFilter(chosen)}
        />
      </div>
      <RecordList
        list={list}
        label={text('check.list')}
        empty={<NoChecks snippet={snippet} filter={filter} />}
      >
        {(check) => <CheckRow check={check} />}
      </RecordList>
    </section>
  )
}

/** Leads to the newest check that waits for a decision; nothing if none does. */
export function PendingChecks({ id }: { readonly id: string }) {
  const { items, hasMore } = useChecks(id, 'pending')
  const [newest] = items
  if (newest === undefined) return null
  return (
    <Link className="badge badge-due" href={`/checks/${newest.id}`}>
      {text('check.waiting', { count: items.length })}
      {hasMore && '+'}
    </Link>
  )
}

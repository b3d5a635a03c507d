import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Report } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'
import { useCursorList } from '../../api/cursor-list.js'
import { operatorKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { type Choice, Select } from '../../kit/select.js'
import { EmptyState } from '../../kit/states.js'
import { DecisionDialog } from './decision-dialog.js'
import { OperatorArea } from './operator-area.js'

const states: readonly Choice<'open' | 'resolved' | 'all'>[] = [
  { id: 'open', label: text('operator.open') },
  { id: 'resolved', label: text('operator.closed') },
  { id: 'all', label: text('shares.all') },
]

function ReportRow({ report, onClose }: { readonly report: Report; onClose(report: Report): void }) {
  const { share, reason, message, email, times, created_at: at, resolved_at: closedAt, note } = report
  const title = share.title === '' ? share.id : share.title
  return (
    <RecordRow
      title={<span className="row-title">{title}</span>}
      facts={{
        reason: <span className="badge">{knownText(`reason.${reason}`) ?? reason}</span>,
        state: text(`operator.${share.state}`),
        times: times === 1 ? null : text('operator.times', { count: times }),
        at: <Moment at={at} />,
        email,
      }}
      details={
        <>
          {message !== '' && <p className="pre-line">{message}</p>}
          {note !== null && <p className="quiet">{text('operator.note', { note })}</p>}
        </>
      }
      actions={
        <>
          {share.state !== 'deleted' && (
            <ButtonLink href={`/operator/shares/${share.id}`} size="small">
              {text('operator.toShare')}
              <span className="hidden">{title}</span>
            </ButtonLink>
          )}
          {closedAt === null && (
            <Button size="small" onPress={() => onClose(report)}>
              {text('operator.close')}
              <span className="hidden">{title}</span>
            </Button>
          )}
        </>
      }
    />
  )
}

/** The page at `/dashboard/operator`. */
export function ReportsPage() {
  const [search, setSearch] = useSearchParams()
  const [closing, setClosing] = useState<Report | null>(null)
  const state = states.find(({ id }) => id === search.get('state'))?.id ?? 'open'
  const list = useCursorList([...operatorKey, 'reports', state], (api, options) =>
    api.operator.reports({ state, limit: 30 }, options),
  )
  return (
    <OperatorArea title={text('operator.reports')} about={text('operator.reportsAbout')}>
      <div className="toolbar-chips">
        <Select
          isLabelHidden
          isChip
          label={text('shares.state')}
          choices={states}
          value={state}
          onChange={(id) => setSearch(id === 'open' ? {} : { state: id }, { replace: true })}
        />
      </div>
      <RecordList
        list={list}
        label={text('operator.reports')}
        empty={<EmptyState icon="check" title={text('operator.noReports')} />}
      >
        {(report) => <ReportRow report={report} onClose={setClosing} />}
      </RecordList>
      {closing !== null && (
        <DecisionDialog
          name="close"
          tellsOwner={false}
          change={({ operator }, { reason }) => operator.resolveReport(closing.id, reason)}
          onClose={() => setClosing(null)}
        />
      )}
    </OperatorArea>
  )
}

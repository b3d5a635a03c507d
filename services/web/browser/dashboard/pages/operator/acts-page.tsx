import { useSearchParams } from 'wouter'
import type { OperatorAct } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'
import { useCursorList } from '../../api/cursor-list.js'
import { operatorKey } from '../../api/query-keys.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { OperatorArea } from './operator-area.js'

/** What was done, and to what; an act that a newer server names is shown as it is. */
function titleOf({ action, subject }: OperatorAct): string {
  return knownText(`act.${action}`, { subject: subject.id }) ?? `${action} ${subject.id}`
}

function ActRow({ act }: { readonly act: OperatorAct }) {
  const { operator, account_id: account, reason, created_at: at } = act
  return (
    <RecordRow
      title={<span className="row-title">{titleOf(act)}</span>}
      facts={{
        by: operator.name === '' ? operator.id : operator.name,
        at: <Moment at={at} />,
      }}
      details={<p className="pre-line">{reason}</p>}
      actions={
        account === '' ? null : (
          <ButtonLink href={`/operator/accounts/${account}`} size="small">
            {text('operator.toAccount')}
            <span className="hidden">{account}</span>
          </ButtonLink>
        )
      }
    />
  )
}

/** The page at `/dashboard/operator/acts`, of one account if the query names it. */
export function ActsPage() {
  const [search] = useSearchParams()
  const account = search.get('account') ?? ''
  const list = useCursorList([...operatorKey, 'acts', account], (api, options) =>
    api.operator.acts({ account: account || undefined, limit: 30 }, options),
  )
  return (
    <OperatorArea title={text('operator.acts')} about={text('operator.actsAbout')}>
      {account !== '' && (
        <div className="press-row">
          <ButtonLink href="/operator/acts">{text('operator.allActs')}</ButtonLink>
        </div>
      )}
      <RecordList
        list={list}
        label={text('operator.acts')}
        empty={<EmptyState icon="history" title={text('operator.noActs')} />}
      >
        {(act) => <ActRow act={act} />}
      </RecordList>
    </OperatorArea>
  )
}

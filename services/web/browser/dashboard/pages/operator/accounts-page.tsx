import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { OperatedAccount } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { operatorKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { RecordRow } from '../../kit/record-list.js'
import { EmptyState, LoadingState } from '../../kit/states.js'
import { TextField } from '../../kit/text-field.js'
import { OperatorArea } from './operator-area.js'

/** How an account is called: its e-mail address, else its name, else its subject. */
export function accountName({ email, name, subject }: OperatedAccount): string {
  return email ?? name ?? subject
}

function AccountRow({ account }: { readonly account: OperatedAccount }) {
  const { id, issuer, plan, created_at: at, suspended_at: suspendedAt, erased_after: erasedAfter } = account
  const name = accountName(account)
  return (
    <RecordRow
      title={<span className="row-title">{name}</span>}
      facts={{
        plan: <span className="badge">{text(`plan.${plan}`)}</span>,
        suspended: suspendedAt === null ? null : text('operator.isSuspended'),
        closing: erasedAfter === null ? null : text('operator.isClosing'),
        issuer,
        at: <Moment at={at} />,
      }}
      actions={
        <ButtonLink href={`/operator/accounts/${id}`} size="small">
          {text('operator.toAccount')}
          <span className="hidden">{name}</span>
        </ButtonLink>
      }
    />
  )
}

/** The accounts that match; for `null` those that are closing. */
function Found({ q }: { readonly q: string | null }) {
  const api = useApi()
  const found = useQuery({
    queryKey: [...operatorKey, 'accounts', q],
    queryFn: ({ signal }) =>
      q === null ? api.operator.closingAccounts({ signal }) : api.operator.accounts(q, { signal }),
  })
  if (found.error !== null) return <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <LoadingState lines={2} />
  const none = q === null ? 'operator.noClosing' : 'operator.noAccounts'
  if (found.data.length === 0) return <EmptyState icon="search" title={text(none)} />
  const label = q === null ? 'operator.closing' : 'operator.accounts'
  return (
    <ul className="rows" aria-label={text(label)}>
      {found.data.map((account) => (
        <li className="row" key={account.id}>
          <AccountRow account={account} />
        </li>
      ))}
    </ul>
  )
}

/** The page at `/dashboard/operator/accounts`. */
export function AccountsPage() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const [typed, setTyped] = useState(q)
  return (
    <OperatorArea title={text('operator.accounts')} about={text('operator.accountsAbout')}>
      <form
        className="toolbar"
        onSubmit={(event) => {
          event.preventDefault()
          setSearch(typed.trim() === '' ? {} : { q: typed.trim() }, { replace: true })
        }}
      >
        <TextField label={text('operator.find')} value={typed} onChange={setTyped} maxLength={320} />
        <Button type="submit" variant="primary">
          {text('operator.search')}
        </Button>
      </form>
      {q !== '' ? (
        <Found q={q} />
      ) : (
        <>
          <h2>{text('operator.closing')}</h2>
          <Found q={null} />
        </>
      )}
    </OperatorArea>
  )
}

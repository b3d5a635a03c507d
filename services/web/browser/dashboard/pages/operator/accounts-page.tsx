import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { OperatedAccount } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { operatorKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Loaded } from '../../kit/loaded.js'
import { Moment } from '../../kit/moment.js'
import { RecordRow, Rows } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
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
  const found = useApiQuery([...operatorKey, 'accounts', q], ({ operator }, options) =>
    q === null ? operator.closingAccounts(options) : operator.accounts(q, options),
  )
  const none = text(q === null ? 'operator.noClosing' : 'operator.noAccounts')
  const label = text(q === null ? 'operator.closing' : 'operator.accounts')
  return (
    <Loaded query={found} lines={2}>
      {(accounts) =>
        accounts.length === 0 ? (
          <EmptyState icon="search" title={none} />
        ) : (
          <Rows items={accounts} label={label}>
            {(account) => <AccountRow account={account} />}
          </Rows>
        )
      }
    </Loaded>
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

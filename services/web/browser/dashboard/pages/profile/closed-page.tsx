import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isCode } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi, useProfile } from '../../api/api-context.js'
import { FrontPage } from '../../frame/front-page.js'
import { Button } from '../../kit/button.js'
import { exactMoment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { useSession } from '../../session/session-views.js'

/** What the owner of a closed account sees instead of everything else. */
function ClosedPage({ erasedAfter }: { readonly erasedAfter: string | null }) {
  const session = useSession()
  const api = useApi()
  const queries = useQueryClient()
  const restoring = useMutation({
    mutationFn: () => api.account.restore(),
    onSuccess: () => queries.resetQueries(),
  })
  const date = erasedAfter === null ? '' : exactMoment(new Date(erasedAfter))
  return (
    <FrontPage>
      <h1>{text('closure.closed')}</h1>
      <p className="quiet">{text('closure.closedAbout', { date })}</p>
      {restoring.error !== null && <ProblemNotice error={restoring.error} />}
      <div className="press-row">
        <Button variant="primary" isPending={restoring.isPending} onPress={() => restoring.mutate()}>
          {text('closure.restore')}
        </Button>
        <Button onPress={() => void session.signOut()}>{text('session.signOut')}</Button>
      </div>
    </FrontPage>
  )
}

/** Shows its children unless the account is closed. */
export function OpenAccount({ children }: { readonly children: ReactNode }) {
  const { error } = useProfile()
  if (!isCode(error, 'account_closing')) return children
  const end = error.problem?.erased_after
  return <ClosedPage erasedAfter={typeof end === 'string' ? end : null} />
}

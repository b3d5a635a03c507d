import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Api } from '../api/api.js'
import { useApi } from '../api/api-context.js'
import { ConfirmDialog } from '../kit/confirm-dialog.js'
import { focusHeading } from './focus-heading.js'
import { showToast } from './toasts.js'

/**
 * Asks once more, makes a change that cannot be undone, and says in passing that it is made. What lies under the first
 * of the `outdated` keys is fetched again before that, so that the page is right when the dialog closes; the rest follows.
 */
export function ConfirmChange<T>({
  title,
  action,
  change,
  outdated,
  done,
  onClose,
  children,
}: {
  readonly title: string
  /** What the button says, a verb. */
  readonly action: string
  change(api: Api): Promise<T>
  readonly outdated: readonly [QueryKey, ...QueryKey[]]
  /** What has been done, by what the change gave. */
  done(result: T): string
  onClose(): void
  readonly children: ReactNode
}) {
  const api = useApi()
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: () => change(api),
    onSuccess: async (result) => {
      const [first, ...rest] = outdated
      await queries.invalidateQueries({ queryKey: first })
      for (const queryKey of rest) void queries.invalidateQueries({ queryKey })
      onClose()
      focusHeading()
      showToast(done(result))
    },
  })
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}

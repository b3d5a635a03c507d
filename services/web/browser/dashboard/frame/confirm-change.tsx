import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Snipkeep } from '#sdk/exports.js'
import { useApi } from '../api/api-context.js'
import { ConfirmDialog } from '../kit/confirm-dialog.js'
import { focusHeading } from './focus-heading.js'
import { showToast } from './toasts.js'

/**
 * Asks for confirmation, makes a change that cannot be undone, and shows a toast. The first of the `outdated`
 * keys is refetched before the dialog closes, so that the page is right by then; the others follow.
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
  /** The button's label, a verb. */
  readonly action: string
  change(api: Snipkeep): Promise<T>
  readonly outdated: readonly [QueryKey, ...QueryKey[]]
  /** The toast for this result. */
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

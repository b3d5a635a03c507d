import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Snipkeep } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { useApi } from '../api/api-context.js'
import { Button } from '../kit/button.js'
import { Dialog, DialogActions } from '../kit/dialog.js'
import { ProblemNotice } from '../kit/problem-notice.js'
import { focusHeading } from './page-heading.js'
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
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="dialog-body">
        {children}
        {changing.error !== null && <ProblemNotice error={changing.error} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('loading.cancel')}</Button>
        <Button variant="danger" isPending={changing.isPending} onPress={() => changing.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

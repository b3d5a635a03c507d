import type { ReactNode } from 'react'
import { text } from '../../../texts/text.js'
import { Button } from './button.js'
import { Dialog, DialogActions } from './dialog.js'
import { ProblemNotice } from './problem-notice.js'

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({
  title,
  action,
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string
  /** The button's label, a verb. */
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  onConfirm(): void
  onClose(): void
  readonly children: ReactNode
}) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="dialog-body">
        {children}
        {error !== null && <ProblemNotice error={error} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('kit.cancel')}</Button>
        <Button variant="danger" isPending={isPending} onPress={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { text } from '../../../texts/text.js'
import { Button } from './button.js'
import { Dialog, DialogActions } from './dialog.js'
import { ProblemNotice } from './problem-notice.js'

/** A dialog with a form that creates something. */
export function FormDialog({
  title,
  action,
  draft,
  onClose,
  children,
}: {
  readonly title: string
  /** The text of the button that submits. */
  readonly action: string
  readonly draft: {
    /** How often an invalid form was submitted. */
    readonly tries: number
    readonly isPending: boolean
    readonly error: Error | null
    submit(): void
  }
  onClose(): void
  readonly children: ReactNode
}) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  // Focus the invalid field once it is marked.
  useEffect(() => {
    if (draft.tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [draft.tries])
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className="dialog-body"
        id={id}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          draft.submit()
        }}
      >
        {children}
        {draft.error !== null && <ProblemNotice error={draft.error} />}
      </form>
      <DialogActions>
        <Button onPress={onClose}>{text('loading.cancel')}</Button>
        <Button variant="primary" type="submit" form={id} isPending={draft.isPending}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

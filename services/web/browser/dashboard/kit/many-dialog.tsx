import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Form } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { failedOf, type Outcome, runMany } from '../api/run-many.js'
import { Button } from './button.js'
import { describeProblem } from './describe-problem.js'
import { Dialog, DialogActions } from './dialog.js'
import { Notice } from './notice.js'

interface Titled {
  readonly id: string
  readonly title: string
}

function Failure({ title, error }: { readonly title: string; readonly error: Error }) {
  const { detail, detailLanguage } = describeProblem(error)
  return (
    <>
      {text('kit.failedOne', { title })} <span lang={detailLanguage}>{detail}</span>
    </>
  )
}

/** Which could not be changed, and why. */
function Failures({ outcomes }: { readonly outcomes: readonly Outcome<Titled, unknown>[] }) {
  const failed = failedOf(outcomes)
  if (failed.length === 0) return null
  return (
    <Notice tone="problem">
      <p>
        <strong>{text('kit.failedOf', { count: failed.length, total: outcomes.length })}</strong>
      </p>
      <ul className="failures">
        {failed.map(({ item, error }) => (
          <li key={item.id}>
            <Failure title={item.title} error={error} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function ManyActions({
  action,
  isDanger,
  isReady,
  state,
  onStop,
  onClose,
}: {
  readonly action: string
  readonly isDanger: boolean
  readonly isReady: boolean
  readonly state: 'asking' | 'running' | 'ended'
  onStop(): void
  onClose(): void
}) {
  if (state === 'ended')
    return (
      <DialogActions>
        <Button variant="primary" onPress={onClose} autoFocus>
          {text('snippets.done')}
        </Button>
      </DialogActions>
    )
  return (
    <DialogActions>
      <Button onPress={state === 'running' ? onStop : onClose}>{text('loading.cancel')}</Button>
      <Button
        type="submit"
        variant={isDanger ? 'danger' : 'primary'}
        isPending={state === 'running'}
        isDisabled={!isReady}
      >
        {action}
      </Button>
    </DialogActions>
  )
}

/**
 * A dialog that does the same for several records, with its progress, what failed, and what came of the others. Cancel
 * stops it before the next record, and shows what has been done.
 */
export function ManyDialog<Item extends Titled, Result>({
  title,
  action,
  items,
  isReady = true,
  isDanger = false,
  change,
  onChanged,
  onClose,
  children,
  result,
}: {
  readonly title: string
  /** The button's label. */
  readonly action: string
  readonly items: readonly Item[]
  readonly isReady?: boolean
  /** Whether it cannot be undone. */
  readonly isDanger?: boolean
  change(item: Item): Promise<Result>
  /** Called once with the outcomes of those that were done. It may close the dialog. */
  onChanged(outcomes: readonly Outcome<Item, Result>[]): void
  onClose(): void
  readonly children: ReactNode
  /** What to show of those that did not fail, once all are done. */
  result(outcomes: readonly Outcome<Item, Result>[]): ReactNode
}) {
  const [done, setDone] = useState<number | null>(null)
  const [outcomes, setOutcomes] = useState<readonly Outcome<Item, Result>[] | null>(null)
  const running = useRef<AbortController>(null)
  const stop = (): void => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])
  const start = async (): Promise<void> => {
    running.current = new AbortController()
    setDone(0)
    const ended = await runMany(items, change, { onProgress: setDone, stop: running.current.signal })
    if (ended.length === 0) return onClose()
    setOutcomes(ended)
    onChanged(ended)
  }
  const isRunning = done !== null && outcomes === null
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={!isRunning} hasClose={!isRunning}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (done === null) void start()
        }}
      >
        <div className="dialog-body">
          {outcomes === null ? children : result(outcomes)}
          {outcomes !== null && <Failures outcomes={outcomes} />}
          {isRunning && <p role="status">{text('kit.shownOf', { count: done, total: items.length })}</p>}
          {outcomes !== null && outcomes.length < items.length && (
            <p role="status">{text('kit.stoppedAt', { count: outcomes.length, total: items.length })}</p>
          )}
        </div>
        <ManyActions
          action={action}
          isDanger={isDanger}
          isReady={isReady}
          state={outcomes !== null ? 'ended' : isRunning ? 'running' : 'asking'}
          onStop={stop}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  )
}

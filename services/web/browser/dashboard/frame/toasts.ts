import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'
import { text } from '../../../texts/text.js'

// The library marks this API as unstable: its version is pinned, and only this file and the region use it.

/** What a toast offers to do. */
export interface ToastAction {
  readonly label: string
  run(): void
}

export interface Toast {
  readonly message: string
  readonly action: ToastAction | null
  /** Whether it stays when another page is opened, because what it announces can still be undone. */
  readonly isKept: boolean
  /** The page that it belongs to: the one that is open when it is made. */
  readonly path: string
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 })

const shownMs = 5_000
const actionMs = 10_000

/** Shows a toast, which may offer something to do. Open the page that it belongs to first. */
export function showToast(message: string, action: ToastAction | null = null): void {
  const key = toastQueue.add(
    {
      message,
      action: action && {
        ...action,
        run() {
          toastQueue.close(key)
          action.run()
        },
      },
      isKept: false,
      path: location.pathname,
    },
    { timeout: action === null ? shownMs : actionMs },
  )
}

/** Closes toasts of other pages than the open one. Those that offer to undo something stay while it can be undone. */
export function leaveToasts(): void {
  for (const { key, content } of [...toastQueue.visibleToasts])
    if (!content.isKept && content.path !== location.pathname) toastQueue.close(key)
}

/** Ends the wait for an action. `isLeaving`: the page unloads or the user signs out, so requests must be sent at once. */
type Finish = (isLeaving: boolean) => Promise<void>

/** The actions that can still be undone, and those that run. */
const waiting = new Set<Finish>()

/** An action that runs only once it can no longer be undone. */
export interface UndoableStep {
  readonly message: string
  /** Performs the action. Once the signal is aborted the user leaves, and nothing that waits is done any more. */
  commit(leaving: AbortSignal): Promise<void>
  /** Restores the previous state. */
  undo(): void
}

/** Performs an action, and tells it when the user leaves before it has ended. */
export async function performStep(commit: UndoableStep['commit'], isLeaving = false): Promise<void> {
  const leaving = new AbortController()
  if (isLeaving) leaving.abort()
  const running = commit(leaving.signal)
  const finish: Finish = (isLeavingNow) => {
    if (isLeavingNow) leaving.abort()
    return running
  }
  waiting.add(finish)
  await running.finally(() => waiting.delete(finish))
}

/** Announces an action and offers to undo it. It runs when the toast times out or the user leaves. */
export function showUndo({ message, commit, undo }: UndoableStep): void {
  const finish: Finish = async (isLeaving) => {
    if (!waiting.delete(finish)) return
    toastQueue.close(key)
    await performStep(commit, isLeaving)
  }
  const takeBack = (): void => {
    if (waiting.delete(finish)) undo()
    toastQueue.close(key)
  }
  waiting.add(finish)
  const action = { label: text('kit.undo'), run: takeBack }
  const key = toastQueue.add(
    { message, action, isKept: true, path: location.pathname },
    { timeout: actionMs, onClose: () => void finish(false) },
  )
}

/** Performs all actions that could still be undone, and hurries those that run. Resolves when all have ended. */
export async function finishUndoable({
  isLeaving = false,
}: {
  readonly isLeaving?: boolean
} = {}): Promise<void> {
  await Promise.all([...waiting].map((finish) => finish(isLeaving)))
}

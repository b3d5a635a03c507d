import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

// The library marks this API as unstable: its version is pinned, and only this file and the region use it.

export interface Toast {
  readonly message: string
  /** Undoes what the toast announces. */
  readonly undo: (() => void) | null
  /** The page that it belongs to: the one that is open when it is made. */
  readonly path: string
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 })

const shownMs = 5_000
const undoableMs = 8_000

/** Shows a toast. Open the page that it belongs to first. */
export function showToast(message: string): void {
  toastQueue.add({ message, undo: null, path: location.pathname }, { timeout: shownMs })
}

/** Closes toasts of other pages than the open one. Those that offer to undo something stay while it can be undone. */
export function leaveToasts(): void {
  for (const { key, content } of [...toastQueue.visibleToasts])
    if (content.undo === null && content.path !== location.pathname) toastQueue.close(key)
}

const waiting = new Set<() => void>()

/** An action that runs only once it can no longer be undone. */
export interface UndoableStep {
  readonly message: string
  /** Performs the action. May be called while the page unloads. */
  commit(): void
  /** Restores the previous state. */
  undo(): void
}

/** Announces an action and offers to undo it. It runs when the toast times out or the page unloads. */
export function showUndo({ message, commit, undo }: UndoableStep): void {
  const settle = (step: () => void): void => {
    if (waiting.delete(finish)) step()
  }
  const finish = (): void => {
    settle(commit)
    toastQueue.close(key)
  }
  const takeBack = (): void => {
    settle(undo)
    toastQueue.close(key)
  }
  waiting.add(finish)
  const key = toastQueue.add(
    { message, undo: takeBack, path: location.pathname },
    { timeout: undoableMs, onClose: () => settle(commit) },
  )
}

/** Performs all actions that could still be undone. Call it when the page unloads. */
export function finishUndoable(): void {
  for (const finish of [...waiting]) finish()
}

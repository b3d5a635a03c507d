import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

// Its makers call it unstable: the version is exact, and only this file and its region know it.

/** Something that is said in passing. */
export interface Toast {
  readonly message: string
  /** Takes back what it tells of. */
  readonly undo: (() => void) | null
}

/** What is being said. */
export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 })

const shownMs = 5_000
const undoableMs = 8_000

/** Says something in passing. */
export function showToast(message: string): void {
  toastQueue.add({ message, undo: null }, { timeout: shownMs })
}

const waiting = new Set<() => void>()

/** Something that is done only once no one can take it back any more. */
export interface UndoableStep {
  readonly message: string
  /** Does it, when the time is over. It may be called while the page is being left. */
  commit(): void
  /** Puts everything back as it was. */
  undo(): void
}

/** Says what has been done and offers to undo it; it is really done when the time is over or the page is left. */
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
    { message, undo: takeBack },
    { timeout: undoableMs, onClose: () => settle(commit) },
  )
}

/** Does now whatever could still be undone. To be called when a page is left. */
export function finishUndoable(): void {
  for (const finish of [...waiting]) finish()
}

/** If a timer fires this many milliseconds late, this process was busy, and the time says nothing about the peer. */
export const lateTimerMs = 1_000

/** Runs `check` one turn later, because bytes that arrived while the event loop was busy are only reported then. */
export function afterPendingReads(check: () => void): void {
  setImmediate(check)
}

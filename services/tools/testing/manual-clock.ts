import type { ToolsPorts } from '../ports.js'

/** A clock that a test puts forward. */
export function manualClock(): Pick<ToolsPorts, 'now' | 'after'> & { forward(ms: number): void } {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly act: () => void }>()
  return {
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    forward(ms) {
      now += ms
      for (const timer of [...timers].sort((one, other) => one.at - other.at))
        if (timer.at <= now && timers.delete(timer)) timer.act()
    },
  }
}

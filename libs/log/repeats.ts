/**
 * Decides which of many equal failures to log: the first, and then one in every `periodMs`. In an outage the same line
 * would otherwise come with every request.
 */
export interface Repeats {
  /** The fields of the line to log: `repeated` failures since the last one had none. `null` to log nothing. */
  next(key: string): { readonly repeated?: number } | null
}

/** Beyond this number of different failures, the oldest is forgotten and would be logged again. */
const keysMax = 200

/**
 * Remembers up to 200 different failures.
 * @param periodMs the time between two lines about the same failure.
 */
export function createRepeats(
  periodMs: number,
  monotonicMs: () => number = () => performance.now(),
): Repeats {
  const seen = new Map<string, { readonly loggedAtMs: number; repeated: number }>()
  return {
    next(key) {
      const nowMs = monotonicMs()
      const last = seen.get(key)
      if (last !== undefined && nowMs - last.loggedAtMs < periodMs) {
        last.repeated += 1
        return null
      }
      seen.delete(key)
      seen.set(key, { loggedAtMs: nowMs, repeated: 0 })
      const oldest = seen.size > keysMax ? seen.keys().next().value : undefined
      if (oldest !== undefined) seen.delete(oldest)
      return last === undefined || last.repeated === 0 ? {} : { repeated: last.repeated }
    },
  }
}

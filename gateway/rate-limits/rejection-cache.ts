/** A short memory of refusals by limits. */
export interface RefusalMemory<Refusal> {
  /** Notes a refusal that holds for so many milliseconds, though for a second at most. */
  add(key: string, refusal: Refusal, holdsMs: number): void
  /** The refusal that holds at this time, or `null`. */
  find(key: string, at: number): Refusal | null
  /** How many are kept. */
  size(): number
}

/**
 * How long a refusal is repeated at most, in milliseconds. A request that is given back makes room earlier than was
 * foretold, a plan changes, a key is revoked: nobody is refused for longer without a question.
 */
export const refusalLifeMsMax = 1_000

/**
 * A memory of at most `max` refusals, which keeps none, nor its key, for longer than two seconds. What is forgotten too
 * early is only asked for once more.
 * @param now milliseconds that only grow.
 */
export function createRefusalMemory<Refusal>(now: () => number, max: number): RefusalMemory<Refusal> {
  const noted = new Map<string, { readonly refusal: Refusal; readonly until: number }>()
  let sweeping = false

  const sweepLater = (): void => {
    if (sweeping) return
    sweeping = true
    setTimeout(() => {
      sweeping = false
      const at = now()
      for (const [key, { until }] of noted) if (until <= at) noted.delete(key)
      if (noted.size > 0) sweepLater()
    }, refusalLifeMsMax).unref()
  }

  return {
    add(key, refusal, holdsMs) {
      if (noted.size >= max) noted.clear()
      noted.set(key, { refusal, until: now() + Math.min(holdsMs, refusalLifeMsMax) })
      sweepLater()
    },
    find(key, at) {
      const note = noted.get(key)
      return note !== undefined && at < note.until ? note.refusal : null
    },
    size: () => noted.size,
  }
}

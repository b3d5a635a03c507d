import { unavailable } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'

/** The most that one body occupies, since large bodies are streamed. */
export const uploadWindowBytes = 1_048_576

export function createUploadBudget(bytesMax: number) {
  let inFlight = 0
  const refused = metrics.uploadsRefused.series()
  const stops = [
    metrics.uploadBytesInFlight.observe(() => [[[], inFlight]]),
    metrics.uploadBytesInFlightMax.observe(() => [[[], bytesMax]]),
  ]
  const take = (bytes: number, upTo: number): (() => void) => {
    if (inFlight + bytes > upTo) {
      refused.inc()
      throw unavailable('Too many uploads are in progress. Try again shortly.')
    }
    inFlight += bytes
    let held = true
    return () => {
      if (held) inFlight -= bytes
      held = false
    }
  }
  const forLarge = Math.max(Math.floor((bytesMax * 7) / 8), uploadWindowBytes)
  return {
    /**
     * Reserves bytes for one body; the returned function releases them, once.
     * @throws DomainError `unavailable` (503, retryable) if they are not free.
     */
    reserve: (bytes: number) => take(bytes, bytesMax),
    /**
     * The same for the rest of a large body. It leaves an eighth of the budget free, so that slow large bodies never
     * block small ones.
     */
    reserveMore: (bytes: number) => take(bytes, Math.min(forLarge, bytesMax)),
    /** Removes the metrics. */
    close() {
      for (const stop of stops) stop()
    },
  }
}

/** Limits the bytes that request bodies occupy in this process at once. */
export type UploadBudget = Readonly<ReturnType<typeof createUploadBudget>>

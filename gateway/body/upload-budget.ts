import { unavailable } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'

/** Bounds the bytes that request bodies may occupy in this process at once. */
export interface UploadBudget {
  /**
   * Sets bytes aside for one body; the function that it returns gives them back, once.
   * @throws DomainError `unavailable` (503, to be tried again) when they are not free.
   */
  reserve(bytes: number): () => void
  /**
   * The same for what a large body needs beyond its beginning. An eighth of the budget is not given out so: however many
   * send large bodies slowly, small ones have room.
   */
  reserveMore(bytes: number): () => void
  /** Takes it out of the metrics. */
  close(): void
}

/** The most that one body occupies, however large it is: it is passed on as it arrives. */
export const uploadWindowBytes = 1_048_576

/** A budget of `bytesMax`. */
export function createUploadBudget(bytesMax: number): UploadBudget {
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
    reserve: (bytes) => take(bytes, bytesMax),
    reserveMore: (bytes) => take(bytes, Math.min(forLarge, bytesMax)),
    close() {
      for (const stop of stops) stop()
    },
  }
}

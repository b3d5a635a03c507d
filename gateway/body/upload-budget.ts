import { unavailable } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'

/** Bounds the bytes that request bodies may occupy in this process at once. */
export interface UploadBudget {
  /**
   * Sets bytes aside for one body; the function that it returns gives them back, once.
   * @throws DomainError `unavailable` (503, to be tried again) when they are not free.
   */
  reserve(bytes: number): () => void
}

/** The most that one body occupies, however large it is: it is passed on as it arrives. */
export const uploadWindowBytes = 1_048_576

/** A budget of `bytesMax`. */
export function createUploadBudget(bytesMax: number): UploadBudget {
  let inFlight = 0
  const refused = metrics.uploadsRefused.series()
  metrics.uploadBytesInFlight.observe(() => [[[], inFlight]])
  metrics.uploadBytesInFlightMax.observe(() => [[[], bytesMax]])
  return {
    reserve(bytes) {
      if (inFlight + bytes > bytesMax) {
        refused.value += 1
        throw unavailable('Too many uploads are under way at this moment; please try again.')
      }
      inFlight += bytes
      let held = true
      return () => {
        if (held) inFlight -= bytes
        held = false
      }
    },
  }
}

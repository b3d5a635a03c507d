import { isUnavailability } from '#libs/core/domain-error.js'
import { coalesce } from '#libs/runtime/coalesce.js'

/** One transaction at a time, so that two of this process never want the same rows; a slow one delays others only briefly. */
const batching = { maxBatchSize: 32, maxInFlight: 1, maxDelayMs: 25 }

/**
 * Runs requests of the same moment as one batch, and alone those that the batch left `undefined` or failed for: no request
 * fails because of another. Only when the database cannot be reached do all fail, since then it is unknown what it has done.
 */
export function batchWithFallback<Request, Response>(
  batch: (requests: readonly Request[]) => Promise<readonly (Response | undefined)[]>,
  alone: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const gathered = coalesce<Request, Response | undefined>(batching, async ([first, ...rest]) => {
    if (rest.length === 0) return [{ status: 'fulfilled', value: await alone(first) }]
    const requests = [first, ...rest]
    try {
      return (await batch(requests)).map((value) => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isUnavailability(error)) throw error
      return requests.map(() => ({ status: 'fulfilled', value: undefined }))
    }
  })
  return async (request) => {
    const done = await gathered(request)
    return done === undefined ? alone(request) : done
  }
}

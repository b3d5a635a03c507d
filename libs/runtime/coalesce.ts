import { isUnavailability } from '../core/domain-error.js'

/** Handles a batch of requests; each succeeds or fails on its own, in order. */
export type BatchCall<Request, Response> = (
  requests: readonly [Request, ...Request[]],
) => Promise<readonly PromiseSettledResult<Response>[]>

interface Waiting<Request, Response> {
  readonly request: Request
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
}

/** How requests are batched. */
export interface BatchOptions {
  /** More requests than this take several calls. */
  readonly maxBatchSize: number
  /** While this many calls are in flight, requests wait for one of them to end, in a larger batch. */
  readonly maxInFlight: number
  /** The maximum wait in milliseconds: one hung call must not delay the others. */
  readonly maxDelayMs: number
}

/**
 * Batches the requests of one moment into one call: a call between processes, or a transaction, costs many times its
 * content (docs/performance.md). While fewer than `maxInFlight` calls are in flight, a request waits only for the
 * rest of the current event loop tick.
 */
export function coalesce<Request, Response>(
  { maxBatchSize, maxInFlight, maxDelayMs }: BatchOptions,
  batchCall: BatchCall<Request, Response>,
): (request: Request) => Promise<Response> {
  let waiting: Waiting<Request, Response>[] = []
  let inFlight = 0
  let delayed: NodeJS.Timeout | undefined

  const send = async (batch: readonly Waiting<Request, Response>[]): Promise<void> => {
    const [first, ...rest] = batch
    if (first === undefined) return
    try {
      const results = await batchCall([first.request, ...rest.map(({ request }) => request)])
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason ?? new Error('a request of a batch got no result'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const flush = (): void => {
    clearTimeout(delayed)
    delayed = undefined
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += maxBatchSize) {
      inFlight += 1
      void send(all.slice(from, from + maxBatchSize)).then(() => {
        inFlight -= 1
        if (delayed !== undefined && inFlight < maxInFlight) flush()
      })
    }
  }

  const afterTick = (): void => {
    if (inFlight < maxInFlight) flush()
    else delayed ??= setTimeout(flush, maxDelayMs)
  }

  return (request) =>
    new Promise((resolve, reject) => {
      // By the time immediates run, everything received in this tick has been parsed.
      if (waiting.length === 0) setImmediate(afterTick)
      waiting.push({ request, resolve, reject })
    })
}

/**
 * One batch at a time, so that two of this process never lock the same rows; a slow one delays others only briefly.
 */
export const oneBatchAtATime: BatchOptions = { maxBatchSize: 32, maxInFlight: 1, maxDelayMs: 25 }

/**
 * Runs requests of the same moment as one batch, and those that the batch left `undefined` or failed for one by one:
 * no request fails because of another. Only if the backend is unreachable do all fail, since it is unknown what it
 * has done.
 */
export function batchWithFallback<Request, Response>(
  options: BatchOptions,
  batch: (requests: readonly Request[]) => Promise<readonly (Response | undefined)[]>,
  alone: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const gathered = coalesce<Request, Response | undefined>(options, async ([first, ...rest]) => {
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

import { isUnavailability } from '../core/domain-error.js'
import { telemetry } from '../telemetry/telemetry.js'

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
 * @param keyOf requests of the same key are never in two calls at a time: the later one waits, whatever `maxDelayMs`. If
 *   the backend is unavailable for the first, it is for those behind it: they fail together, not each after its own timeout.
 */
export function coalesce<Request, Response>(
  { maxBatchSize, maxInFlight, maxDelayMs }: BatchOptions,
  batchCall: BatchCall<Request, Response>,
  keyOf?: (request: Request) => string,
): (request: Request) => Promise<Response> {
  let waiting: Waiting<Request, Response>[] = []
  let inFlight = 0
  let isTickPending = false
  let delayed: NodeJS.Timeout | undefined
  const keysInFlight = new Set<string>()

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
      const held = isUnavailability(error) ? takeHeldBy(batch) : []
      for (const { reject } of [...batch, ...held]) reject(error)
    }
  }

  /** Takes those that wait for the keys of a batch. */
  const takeHeldBy = (
    batch: readonly Waiting<Request, Response>[],
  ): readonly Waiting<Request, Response>[] => {
    if (keyOf === undefined) return []
    const keys = new Set(batch.map(({ request }) => keyOf(request)))
    const held = waiting.filter(({ request }) => keys.has(keyOf(request)))
    waiting = waiting.filter(({ request }) => !keys.has(keyOf(request)))
    return held
  }

  /** Takes the next batch of those that may be sent now. */
  const take = (): readonly Waiting<Request, Response>[] => {
    const batch: Waiting<Request, Response>[] = []
    const others: Waiting<Request, Response>[] = []
    for (const one of waiting) {
      const isHeld = keyOf !== undefined && keysInFlight.has(keyOf(one.request))
      if (batch.length < maxBatchSize && !isHeld) batch.push(one)
      else others.push(one)
    }
    waiting = others
    return batch
  }

  const flush = (): void => {
    clearTimeout(delayed)
    delayed = undefined
    for (let batch = take(); batch.length > 0; batch = take()) {
      const keys = keyOf === undefined ? [] : batch.map(({ request }) => keyOf(request))
      for (const key of keys) keysInFlight.add(key)
      inFlight += 1
      void send(batch).then(() => {
        inFlight -= 1
        for (const key of keys) keysInFlight.delete(key)
        // Those of this moment are flushed at the end of its tick.
        if (waiting.length > 0 && !isTickPending) flushOrDelay()
      })
    }
  }

  const flushOrDelay = (): void => {
    if (inFlight < maxInFlight) flush()
    else delayed ??= setTimeout(flush, maxDelayMs)
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (isTickPending) return
      isTickPending = true
      // By the time immediates run, everything received in this tick has been parsed.
      setImmediate(() => {
        isTickPending = false
        flushOrDelay()
      })
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
  keyOf?: (request: Request) => string,
): (request: Request) => Promise<Response> {
  const call: BatchCall<Request, Response | undefined> = async ([first, ...rest]) => {
    if (rest.length === 0) return [{ status: 'fulfilled', value: await alone(first) }]
    const requests = [first, ...rest]
    try {
      return (await batch(requests)).map((value) => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isUnavailability(error)) throw error
      return requests.map(() => ({ status: 'fulfilled', value: undefined }))
    }
  }
  const gathered = coalesce(options, call, keyOf)
  return async (request) => {
    const done = await gathered(request)
    return done === undefined ? alone(request) : done
  }
}

/**
 * 64 records with 64 KiB of data each take a little more than 4 MiB, and clients accept 8. Batches of 32 took a fifth
 * more processor time.
 */
const reads: BatchOptions = { maxBatchSize: 64, maxInFlight: 2, maxDelayMs: 5 }

/**
 * Sends the reads of one turn of the event loop as one call. A single read uses `alone`; with tracing on, all do, to
 * get their own spans.
 * @param together settles each read, in order.
 */
export function batchReads<Read, Value>(
  alone: (read: Read) => Promise<Value>,
  together: BatchCall<Read, Value>,
): (read: Read) => Promise<Value> {
  const batched = coalesce<Read, Value>(reads, async (batch) =>
    batch.length === 1 ? [{ status: 'fulfilled', value: await alone(batch[0]) }] : together(batch),
  )
  return (read) => (telemetry.traces === null ? batched(read) : alone(read))
}

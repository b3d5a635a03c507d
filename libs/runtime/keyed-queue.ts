import { isUnavailability } from '../core/domain-error.js'

/** A queue for each key: work with the same key runs one after another, with different keys concurrently. */
export interface KeyedQueue {
  /** Runs `work` after everything before it with the same key has settled; returns its result. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** The outcome of work, for the work behind it. */
type End = { readonly failure: unknown } | null

/**
 * Queues of this process; an idle key takes no memory.
 * @param concernsAll whether a failure would repeat for the work behind it, such as an unresponsive database: then
 *   everything that waits fails with it at once, instead of each after its own timeout.
 */
export function createKeyedQueue(concernsAll: (failure: unknown) => boolean = () => false): KeyedQueue {
  const ends = new Map<string, Promise<End>>()
  return {
    async run(key, work) {
      const result = (ends.get(key) ?? Promise.resolve(null)).then((before) => {
        if (before !== null) throw before.failure
        return work()
      })
      const end = result.then(
        () => null,
        (failure: unknown) => (concernsAll(failure) ? { failure } : null),
      )
      ends.set(key, end)
      try {
        return await result
      } finally {
        if (ends.get(key) === end) ends.delete(key)
      }
    },
  }
}

interface Waiting<Request, Response> {
  readonly request: Request
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches the requests of each key: all that wait when the turn of their key comes go into one batch, which runs in
 * the queue like any other work of this key.
 * @param batch settles each request, in order; if it throws, all of them fail. A failure is one of the queue's work,
 *   too.
 */
export function keyedBatches<Request, Response>(
  queue: KeyedQueue,
  maxBatchSize: number,
  batch: (requests: readonly Request[]) => Promise<readonly PromiseSettledResult<Response>[]>,
): (key: string, request: Request) => Promise<Response> {
  const waitingOf = new Map<string, Waiting<Request, Response>[]>()

  const take = (key: string): readonly Waiting<Request, Response>[] => {
    const all = waitingOf.get(key) ?? []
    const taken = all.splice(0, maxBatchSize)
    if (all.length === 0) waitingOf.delete(key)
    else schedule(key)
    return taken
  }

  const schedule = (key: string): void => {
    let taken: readonly Waiting<Request, Response>[] = []
    const run = async (): Promise<void> => {
      taken = take(key)
      const results = await batch(taken.map(({ request }) => request))
      for (const [index, { resolve, reject }] of taken.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason ?? new Error('a request of a batch got no result'))
      }
      // The queue decides whether a failure concerns the work behind it.
      const failed = results.findLast((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
    queue.run(key, run).catch((error: unknown) => {
      // If the work before it has failed for all, it never ran.
      for (const { reject } of taken.length === 0 ? take(key) : taken) reject(error)
    })
  }

  return (key, request) =>
    new Promise((resolve, reject) => {
      const waiting = waitingOf.get(key)
      if (waiting !== undefined) {
        waiting.push({ request, resolve, reject })
        return
      }
      waitingOf.set(key, [{ request, resolve, reject }])
      schedule(key)
    })
}

async function settle<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

/**
 * Settles one by one, in order, what a batch left `undefined`. Without a backend the rest fails like the first, because each
 * would only time out after the other.
 */
export async function settleRest<Request, Response>(
  requests: readonly Request[],
  settled: readonly (PromiseSettledResult<Response> | undefined)[],
  alone: (request: Request) => Promise<Response>,
): Promise<readonly PromiseSettledResult<Response>[]> {
  const results: PromiseSettledResult<Response>[] = []
  let lost: PromiseRejectedResult | null = null
  for (const [index, request] of requests.entries()) {
    const result: PromiseSettledResult<Response> = settled[index] ?? lost ?? (await settle(alone(request)))
    if (result.status === 'rejected' && isUnavailability(result.reason)) lost = result
    results.push(result)
  }
  return results
}

import type { KeyedQueue } from './keyed-queue.js'

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

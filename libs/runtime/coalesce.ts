/** Answers several requests together, each by itself well or not, in their order. */
export type Together<Request, Response> = (
  requests: readonly [Request, ...Request[]],
) => Promise<readonly PromiseSettledResult<Response>[]>

interface Waiting<Request, Response> {
  readonly request: Request
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
}

/** How requests are gathered. */
export interface Gathering {
  /** How many requests travel together; beyond it there are several calls. */
  readonly most: number
  /** While so many calls are under way, requests wait for one of them to end, and travel with more company. */
  readonly underWayMax: number
  /** How long they wait at most, in milliseconds: a call that hangs holds nobody else up. */
  readonly patienceMs: number
}

/**
 * A function of one request that answers those of the same moment in one call of `together`: a call between processes,
 * or a transaction, costs many times what it carries (docs/performance.md). While fewer than `underWayMax` calls are
 * under way, a request waits for nothing but the rest of its turn of the event loop.
 */
export function coalesce<Request, Response>(
  { most, underWayMax, patienceMs }: Gathering,
  together: Together<Request, Response>,
): (request: Request) => Promise<Response> {
  let waiting: Waiting<Request, Response>[] = []
  let underWay = 0
  let heldBack: NodeJS.Timeout | undefined

  const send = async (batch: readonly Waiting<Request, Response>[]): Promise<void> => {
    const [first, ...rest] = batch
    if (first === undefined) return
    try {
      const results = await together([first.request, ...rest.map(({ request }) => request)])
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason ?? new Error('one of several requests was not answered'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const flush = (): void => {
    clearTimeout(heldBack)
    heldBack = undefined
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += most) {
      underWay += 1
      void send(all.slice(from, from + most)).then(() => {
        underWay -= 1
        if (heldBack !== undefined && underWay < underWayMax) flush()
      })
    }
  }

  const endOfTurn = (): void => {
    if (underWay < underWayMax) flush()
    else heldBack ??= setTimeout(flush, patienceMs)
  }

  return (request) =>
    new Promise((resolve, reject) => {
      // What has been received in this turn has been parsed by the time that immediates run.
      if (waiting.length === 0) setImmediate(endOfTurn)
      waiting.push({ request, resolve, reject })
    })
}

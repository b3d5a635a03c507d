import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { quantile } from './quantile.js'

/** How one request of a load went. */
export interface Outcome {
  /** Which of the requests it was. */
  readonly name: string
  /** 0 when there was no response at all. */
  readonly status: number
  /** Milliseconds since the load began. */
  readonly startedAt: number
  readonly tookMs: number
  /** Why there was no response. */
  readonly error?: unknown
}

/** A load in progress. */
export interface Load {
  /** What has ended so far. */
  outcomes(): readonly Outcome[]
  /** Sends no more, and resolves when every request has ended. */
  stop(): Promise<readonly Outcome[]>
}

/** The requests of a load by name; each gives the status of its response. */
export type Requests = Readonly<Record<string, () => Promise<number>>>

/**
 * Sends `perSecond` requests, one kind after another, whether or not earlier ones have been served: whoever is slow is
 * not spared. It ends with the test that began it.
 */
export function startLoad(perSecond: number, requests: Requests): Load {
  const kinds = Object.entries(requests)
  const begun = performance.now()
  const ended: Outcome[] = []
  const pending = new Set<Promise<void>>()
  let stopped = false

  const send = async (name: string, request: () => Promise<number>): Promise<void> => {
    const startedAt = performance.now() - begun
    const outcome = await request().then(
      (status) => ({ status }),
      (error: unknown) => ({ status: 0, error }),
    )
    ended.push({ name, startedAt, tookMs: performance.now() - begun - startedAt, ...outcome })
  }
  const run = async (): Promise<void> => {
    for (let sent = 0; !stopped; sent += 1) {
      const [name, request] = kinds[sent % kinds.length] ?? []
      if (name === undefined || request === undefined) return
      const sending: Promise<void> = send(name, request).finally(() => pending.delete(sending))
      pending.add(sending)
      const due = begun + ((sent + 1) * 1_000) / perSecond
      if (due > performance.now()) await sleep(due - performance.now())
    }
  }
  const running = run()
  // A test that fails in the middle must not leave its load to those that follow.
  onTestFinished(() => {
    stopped = true
  })
  return {
    outcomes: () => ended,
    async stop() {
      stopped = true
      await running
      await Promise.all(pending)
      return ended
    },
  }
}

/** How many outcomes there were of each status, by the name of the request. */
export function tally(
  outcomes: readonly Outcome[],
): Readonly<Record<string, Readonly<Record<number, number>>>> {
  const found: Record<string, Record<number, number>> = {}
  for (const { name, status } of outcomes) {
    const counts = found[name] ?? {}
    counts[status] = (counts[status] ?? 0) + 1
    found[name] = counts
  }
  return found
}

/** Tells the figures of a run, beside its verdict. */
export function report(sentence: string, outcomes: readonly Outcome[]): void {
  process.stdout.write(`${sentence} ${JSON.stringify(tally(outcomes))}\n`)
}

/** The milliseconds that such a share of the requests did not exceed; 0 without any. */
export function quantileMs(outcomes: readonly Outcome[], share: number): number {
  return quantile(
    outcomes.map(({ tookMs }) => tookMs),
    share,
  )
}

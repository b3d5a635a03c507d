import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { quantile } from './quantile.js'

/** The outcome of one request of a load. */
export interface Outcome {
  /** The name of the request. */
  readonly name: string
  /** 0 without a response. */
  readonly status: number
  /** Milliseconds since the load started. */
  readonly startedAt: number
  readonly tookMs: number
  /** Why there was no response. */
  readonly error?: unknown
}

/** A running load. */
export interface Load {
  /** The outcomes so far. */
  outcomes(): readonly Outcome[]
  /** Stops sending, and resolves when every request has ended. */
  stop(): Promise<readonly Outcome[]>
}

/** The requests of a load by name; each returns the status of its response. */
export type Requests = Readonly<Record<string, () => Promise<number>>>

/**
 * Sends `perSecond` requests of each kind in turn, without waiting for responses: slow responses don't slow
 * it down. Stops with the test that started it.
 */
export function startLoad(perSecond: number, requests: Requests): Load {
  const kinds = Object.entries(requests)
  const loadStartedAt = performance.now()
  const ended: Outcome[] = []
  const pending = new Set<Promise<void>>()
  let stopped = false

  const send = async (name: string, request: () => Promise<number>): Promise<void> => {
    const startedAt = performance.now() - loadStartedAt
    const outcome = await request().then(
      (status) => ({ status }),
      (error: unknown) => ({ status: 0, error }),
    )
    ended.push({ name, startedAt, tookMs: performance.now() - loadStartedAt - startedAt, ...outcome })
  }
  const run = async (): Promise<void> => {
    for (let sent = 0; !stopped; sent += 1) {
      const [name, request] = kinds[sent % kinds.length] ?? []
      if (name === undefined || request === undefined) return
      const sending: Promise<void> = send(name, request).finally(() => pending.delete(sending))
      pending.add(sending)
      const due = loadStartedAt + ((sent + 1) * 1_000) / perSecond
      if (due > performance.now()) await sleep(due - performance.now())
    }
  }
  const running = run()
  // A failing test must not leave its load running.
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

/** The number of outcomes of each status, by the name of the request. */
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

/** Prints the figures of a run, besides its verdict. */
export function report(sentence: string, outcomes: readonly Outcome[]): void {
  process.stdout.write(`${sentence} ${JSON.stringify(tally(outcomes))}\n`)
}

/** The latency in milliseconds that this share of the requests did not exceed; 0 without requests. */
export function quantileMs(outcomes: readonly Outcome[], share: number): number {
  return quantile(
    outcomes.map(({ tookMs }) => tookMs),
    share,
  )
}

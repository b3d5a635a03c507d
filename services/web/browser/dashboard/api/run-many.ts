import { ProblemError } from '#sdk/exports.js'

/** What became of one of many. */
export interface Outcome<Item, Result> {
  readonly item: Item
  /** `null` if it failed. */
  readonly result: Result | null
  readonly error: Error | null
}

export interface ManyOptions {
  /** How many run at the same time. */
  readonly atOnce?: number
  /** Waits for so many seconds; by default a timer. */
  wait?(seconds: number): Promise<void>
  /** Called with the number of those that have ended. */
  onProgress?(done: number): void
  /** Once aborted, no other is begun or tried again; those that have been sent end. */
  readonly stop?: AbortSignal
  /** Once aborted, all the rest run at the same time, and those that wait are tried again now. */
  readonly hurry?: AbortSignal
}

const triesMax = 6

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000)
  })

function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Does the same for many, a few at the same time. After 429 it waits as long as the server says and goes on. One that
 * fails ends none of the others; the outcomes are in the order of the items, without those that `stop` left out.
 */
export async function runMany<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  { atOnce = 4, wait = sleep, onProgress, stop, hurry }: ManyOptions = {},
): Promise<readonly Outcome<Item, Result>[]> {
  const outcomes: (Outcome<Item, Result> | null)[] = items.map(() => null)
  const [stopped, hurried] = [whenAborted(stop), whenAborted(hurry)]
  let done = 0

  async function one(item: Item): Promise<Outcome<Item, Result> | null> {
    for (let tries = 1; ; tries += 1) {
      const wasHurried = hurry?.aborted === true
      try {
        return { item, result: await run(item), error: null }
      } catch (failure) {
        const isLimited = failure instanceof ProblemError && failure.status === 429
        if (!isLimited || tries >= triesMax)
          return {
            item,
            result: null,
            error: failure instanceof Error ? failure : new Error(String(failure)),
          }
        const waits = [wait(failure.retryAfter ?? 1), stopped]
        await Promise.race(wasHurried ? waits : [...waits, hurried])
        if (stop?.aborted === true) return null
      }
    }
  }

  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [place, item] of left) {
      if (stop?.aborted === true) return
      const outcome = await one(item)
      if (outcome === null) return
      outcomes[place] = outcome
      done += 1
      onProgress?.(done)
    }
  }
  const workers: Promise<void>[] = []
  const start = (count: number): void => {
    for (let n = 0; n < count; n += 1) workers.push(worker())
  }
  hurry?.addEventListener('abort', () => start(items.length), { once: true })
  start(hurry?.aborted === true ? items.length : Math.min(atOnce, items.length))
  // Those that start meanwhile are awaited, too.
  for (const one of workers) await one
  return outcomes.filter((outcome) => outcome !== null)
}

/** Those that failed. */
export function failedOf<Item>(outcomes: readonly Outcome<Item, unknown>[]): readonly {
  readonly item: Item
  readonly error: Error
}[] {
  return outcomes.flatMap(({ item, error }) => (error === null ? [] : [{ item, error }]))
}

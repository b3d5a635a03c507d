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
}

const triesMax = 6

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000)
  })

/**
 * Does the same for many, a few at the same time. After 429 it waits as long as the server says and goes on. One that
 * fails ends none of the others; the outcomes are in the order of the items.
 */
export async function runMany<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  { atOnce = 4, wait = sleep, onProgress }: ManyOptions = {},
): Promise<readonly Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = []
  let done = 0

  async function one(item: Item): Promise<Outcome<Item, Result>> {
    for (let tries = 1; ; tries += 1) {
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
        await wait(failure.retryAfter ?? 1)
      }
    }
  }

  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [place, item] of left) {
      outcomes[place] = await one(item)
      done += 1
      onProgress?.(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return outcomes
}

/** Those that failed. */
export function failedOf<Item>(outcomes: readonly Outcome<Item, unknown>[]): readonly {
  readonly item: Item
  readonly error: Error
}[] {
  return outcomes.flatMap(({ item, error }) => (error === null ? [] : [{ item, error }]))
}

import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until a condition holds; throwing counts as not yet.
 * @param told the error message when it takes longer than `withinMs`.
 * @returns after how many milliseconds it held.
 * @throws Error when it takes longer.
 */
export async function until(
  what: () => Promise<boolean>,
  withinMs = 5_000,
  describeFailure: () => string = () => `not so within ${withinMs} ms`,
): Promise<number> {
  const from = performance.now()
  while (!(await what().catch(() => false))) {
    if (performance.now() - from > withinMs) throw new Error(describeFailure())
    await sleep(25)
  }
  return performance.now() - from
}

import { setTimeout as sleep } from 'node:timers/promises'

/** So long that even a busy machine is in time. */
const minuteMs = 60_000

/**
 * Waits until a condition holds; throwing counts as not yet.
 * @param describeFailure the error message when it takes longer.
 * @param timeoutMs a minute, unless what is waited for takes many steps.
 * @returns after how many milliseconds it held.
 * @throws Error when it takes longer.
 */
export async function until(
  what: () => Promise<boolean>,
  describeFailure?: () => string,
  timeoutMs = minuteMs,
): Promise<number> {
  const from = performance.now()
  while (!(await what().catch(() => false))) {
    if (performance.now() - from > timeoutMs)
      throw new Error(describeFailure?.() ?? `not so within ${timeoutMs} ms`)
    await sleep(25)
  }
  return performance.now() - from
}

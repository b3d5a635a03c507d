import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/**
 * Repeats a request until it returns `expected`, which one sent later than `ms` from now must. How long a response takes
 * does not matter, so that a busy machine changes nothing.
 */
export async function within<T>(ms: number, expected: T, ask: () => Promise<T>): Promise<void> {
  const from = performance.now()
  for (let sentMs = 0; ; sentMs = performance.now() - from) {
    const found = await ask()
    if (isDeepStrictEqual(found, expected)) return
    if (sentMs >= ms) return expect(found, `a request sent after ${sentMs} ms`).toEqual(expected)
    await sleep(50)
  }
}

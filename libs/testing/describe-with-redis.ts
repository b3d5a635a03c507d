import { describe, inject } from 'vitest'

/** Tests that need the Redis of the test run; without one they are reported as skipped, with the reason. */
export function describeWithRedis(name: string, cases: (redisUrl: string) => void): void {
  const redisUrl = inject('redisUrl')
  const nameWithReason = redisUrl === null ? `${name} (needs Redis: ${inject('whyNoRedis')})` : name
  describe.runIf(redisUrl !== null)(nameWithReason, () => cases(redisUrl ?? ''))
}

/** Tests that start, stop and freeze their own Redis. */
export function describeWithOwnRedis(name: string, cases: () => void): void {
  const reason = inject('whyNoRedis')
  const needed = reason === null || process.env.CI === 'true'
  describe.runIf(needed)(needed ? name : `${name} (needs Redis: ${reason})`, cases)
}

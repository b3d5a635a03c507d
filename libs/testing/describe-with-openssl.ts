import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

/** Tests of what calls openssl. Without it they are skipped with the reason; under CI=true they fail. */
export function describeWithOpenssl(name: string, cases: () => void): void {
  const isThere = spawnSync('openssl', ['version']).status === 0
  const nameWithReason = isThere ? name : `${name} (needs openssl, which is not on PATH)`
  describe.runIf(isThere || process.env.CI === 'true')(nameWithReason, cases)
}

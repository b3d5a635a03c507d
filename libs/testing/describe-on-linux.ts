import { describe, it } from 'vitest'

const isLinux = process.platform === 'linux'

function nameWithReason(name: string): string {
  return isLinux ? name : `${name} (needs Linux: it looks into /proc)`
}

/** Tests that read /proc; on other systems they are reported as skipped, with the reason. */
export function describeOnLinux(name: string, cases: () => void): void {
  describe.runIf(isLinux)(nameWithReason(name), cases)
}

/** One such test. */
export function itOnLinux(name: string, options: { timeout?: number }, body: () => Promise<void>): void {
  it.runIf(isLinux)(nameWithReason(name), options, body)
}

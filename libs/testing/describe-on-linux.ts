import { describe, it } from 'vitest'

const isLinux = process.platform === 'linux'

function nameWithReason(name: string): string {
  return isLinux ? name : `${name} (needs Linux: it looks into /proc)`
}

/** Cases that look into processes by /proc; elsewhere they are reported as skipped, with the reason. */
export function describeOnLinux(name: string, cases: () => void): void {
  describe.runIf(isLinux)(nameWithReason(name), cases)
}

/** One such case. */
export function itOnLinux(name: string, options: { timeout?: number }, body: () => Promise<void>): void {
  it.runIf(isLinux)(nameWithReason(name), options, body)
}

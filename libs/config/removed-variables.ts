import type { Environment } from './read-variables.js'

interface Removed {
  /** The processes that read it. */
  readonly processes: readonly string[]
  /** What to do instead. */
  readonly remedy: string
}

const fixed = 'remove it; this is fixed now'
const stores = ['activity', 'billing', 'content', 'identity']

/** Variables of the previous release that have no effect any more. A row goes with the release after. */
export const removed: Readonly<Record<string, Removed>> = {
  ACTIVITY_PURGE_INTERVAL_MS: { processes: ['activity'], remedy: `${fixed} at 5 minutes` },
  CONTENT_ORPHAN_GRACE_MS: { processes: ['content'], remedy: `${fixed} at 30 minutes` },
  CONTENT_PURGE_INTERVAL_MS: { processes: ['content'], remedy: `${fixed} at 5 minutes` },
  CONTENT_SWEEP_INTERVAL_MS: { processes: ['content'], remedy: `${fixed} at 5 minutes` },
  DATABASE_STATEMENT_TIMEOUT_MS: { processes: stores, remedy: `${fixed} at 4 seconds` },
  FAST_PATH: { processes: ['gateway'], remedy: 'remove it; the fast path is always on now' },
  OIDC_STARTUP_WAIT_MS: { processes: ['gateway'], remedy: `${fixed} at 30 seconds` },
  RATE_LIMIT_POINTER_BYTES: {
    processes: ['gateway'],
    remedy: `${fixed} at 64 MiB a minute per client IP, and four times as much per account`,
  },
  UPLOAD_BYTES_IN_FLIGHT_MAX: {
    processes: ['gateway'],
    remedy: `${fixed} at 64 MiB; for more uploads at once, run more gateways`,
  },
}

/** The variables that are set although this process no longer reads them, each with what to do. */
export function removedVariables(
  process: string,
  env: Environment,
): readonly { readonly name: string; readonly remedy: string }[] {
  return Object.entries(removed)
    .filter(([name, { processes }]) => processes.includes(process) && (env[name] ?? '') !== '')
    .map(([name, { remedy }]) => ({ name, remedy }))
}

/** The verdict of a finding. Only a `problem` makes an installation unhealthy. */
export type Verdict = 'ok' | 'warning' | 'problem' | 'skipped'

/** The result of one check. */
export interface Finding {
  /** What was checked, in a few words, such as `redis`. */
  readonly check: string
  readonly verdict: Verdict
  /** The result; never contains a secret. */
  readonly message: string
  /** How to fix it: a variable or a command; `null` if there is nothing to fix. */
  readonly remedy: string | null
}

/** All is well. */
export function ok(check: string, message: string): Finding {
  return { check, verdict: 'ok', message, remedy: null }
}

/** It works, but not as well or as safely as it should. */
export function warning(check: string, message: string, remedy: string): Finding {
  return { check, verdict: 'warning', message, remedy }
}

/** It does not work, or does harm. */
export function problem(check: string, message: string, remedy: string): Finding {
  return { check, verdict: 'problem', message, remedy }
}

/** It could not be checked, or there is nothing to check. */
export function skipped(check: string, reason: string): Finding {
  return { check, verdict: 'skipped', message: reason, remedy: null }
}

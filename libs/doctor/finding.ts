/** What is to be thought of a finding. Only a `problem` keeps an installation from being well. */
export type Verdict = 'ok' | 'warning' | 'problem' | 'skipped'

/** What the doctor found out about one thing. */
export interface Finding {
  /** What was looked at, in a few words, such as `redis`. */
  readonly check: string
  readonly verdict: Verdict
  /** What is so; never a secret. */
  readonly message: string
  /** The line that mends it: a variable or a command; `null` where there is nothing to mend. */
  readonly remedy: string | null
}

/** All is well. */
export function ok(check: string, message: string): Finding {
  return { check, verdict: 'ok', message, remedy: null }
}

/** It works, but not as well or not as safely as it should. */
export function warning(check: string, message: string, remedy: string): Finding {
  return { check, verdict: 'warning', message, remedy }
}

/** It does not work, or harms. */
export function problem(check: string, message: string, remedy: string): Finding {
  return { check, verdict: 'problem', message, remedy }
}

/** It could not be looked at, or there is nothing to look at. */
export function skipped(check: string, reason: string): Finding {
  return { check, verdict: 'skipped', message: reason, remedy: null }
}

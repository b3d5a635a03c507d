/** What the issuer gave for a signed-in person. It lives in memory alone. */
export interface Tokens {
  /** The credential for our API. */
  readonly idToken: string
  readonly refreshToken: string | null
  /** What tells the issuer whose session ends when they sign out; it is no credential. */
  readonly logoutHint: string
  /** By the clock of this browser, whatever the issuer's says. */
  readonly expiresAtMs: number
  /** What the issuer calls the person. */
  readonly name: string
}

/** What is to be done about a session as its end comes near. */
export type DueStep = 'nothing' | 'renew' | 'warn' | 'end'

const renewBeforeMs = 90_000
const warnBeforeMs = 120_000

/** What is due now. A token that lives shorter than the usual notice is renewed in the last quarter of its life. */
export function dueStep(tokens: Tokens, lifeMs: number, nowMs: number): DueStep {
  const leftMs = tokens.expiresAtMs - nowMs
  if (tokens.refreshToken !== null) return leftMs <= Math.min(renewBeforeMs, lifeMs / 4) ? 'renew' : 'nothing'
  if (leftMs <= 0) return 'end'
  return leftMs <= warnBeforeMs ? 'warn' : 'nothing'
}

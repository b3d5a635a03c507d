import { unavailable } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import type { KeySet } from './fetch-key-set.js'

/** The keys of one issuer, kept through its outages. */
export interface JwksCache {
  /**
   * The current set, which has the key of this `kid` if the issuer publishes one.
   * @throws DomainError `unavailable` when the issuer has never been reached, or not for a day.
   */
  get(kid: string): Promise<KeySet>
  /** Whether the current set has this key, without asking anybody. */
  knows(kid: string): boolean
}

/** After this age the set is fetched anew behind the back of whoever asks: a removed key is refused soon after. */
const freshMs = 300_000
/** An issuer that stays out of reach is believed for so long. */
const keptMs = 86_400_000
/** Two attempts are at least so far apart, whatever asks for them. */
const cooldownMs = 30_000

/**
 * Keeps the last good set of an issuer. It is refreshed in the background every five minutes; an unknown `kid` refreshes
 * it at once, but never within 30 s of the last attempt; a set that cannot be used never replaces one that can.
 */
export function createJwksCache(
  issuer: string,
  fetchSet: () => Promise<KeySet>,
  now: () => number,
  log: Logger,
): JwksCache {
  let current: { readonly set: KeySet; readonly at: number } | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  const attempt = async (): Promise<void> => {
    try {
      current = { set: await fetchSet(), at: now() }
    } catch (error) {
      log.error({ err: error, issuer }, 'the keys of the issuer cannot be refreshed')
    }
  }
  const refresh = (): Promise<void> | undefined => {
    if (underWay === undefined && now() - attemptedAt >= cooldownMs) {
      attemptedAt = now()
      underWay = attempt().finally(() => {
        underWay = undefined
      })
    }
    return underWay
  }
  const usable = (): KeySet | undefined =>
    current !== undefined && now() - current.at <= keptMs ? current.set : undefined

  return {
    async get(kid) {
      const set = usable()
      if (set?.kids.has(kid) !== true) await refresh()
      else if (current !== undefined && now() - current.at >= freshMs) void refresh()
      const latest = usable()
      if (latest === undefined)
        throw unavailable('Sign-in cannot be checked at the moment. Please try again.')
      return latest
    },
    knows: (kid) => usable()?.kids.has(kid) === true,
  }
}

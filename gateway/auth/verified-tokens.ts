import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { metrics } from '#libs/telemetry/catalogue.js'

/** When a token may be used, in milliseconds since 1970: from the first instant on, and before the second. */
export interface Validity {
  readonly from: number
  readonly until: number
}

export function isTimely(validity: Validity, nowMs: number): boolean {
  return validity.from <= nowMs && nowMs < validity.until
}

/** A cache of verified tokens. */
export interface VerifiedTokens<Finding> {
  /** What verification found of this very token, while it is valid. */
  find(token: string): Finding | undefined
  remember(token: string, finding: Finding): void
  forget(token: string): void
}

/** The most tokens that are cached. */
export const tokensMax = 10_000

function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}

/**
 * A cache of at most `max` tokens, least recently used first out. Its keys are SHA-256 digests, so
 * that a dump of the process holds no usable token.
 */
export function createVerifiedTokens<Finding extends { readonly validity: Validity }>(
  now: () => number,
  max: number = tokensMax,
): VerifiedTokens<Finding> {
  const findings = new LRUCache<string, Finding>({ max })
  const hits = metrics.verifiedTokenLookups.series('hit')
  const misses = metrics.verifiedTokenLookups.series('miss')
  return {
    find(token) {
      const digest = digestOf(token)
      const finding = findings.get(digest)
      if (finding !== undefined && isTimely(finding.validity, now())) {
        hits.inc()
        return finding
      }
      misses.inc()
      findings.delete(digest)
      return undefined
    },
    remember(token, finding) {
      findings.set(digestOf(token), finding)
    },
    forget(token) {
      findings.delete(digestOf(token))
    },
  }
}

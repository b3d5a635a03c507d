import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { metrics } from '#libs/telemetry/catalogue.js'
import { isTimely, type Validity } from './validity.js'

/** A memory of tokens that were found good, and of what was found. */
export interface VerifiedTokens<Finding> {
  /** What was found of this very token, unless its time is over. */
  find(token: string): Finding | undefined
  remember(token: string, finding: Finding): void
  forget(token: string): void
}

/** How many tokens are remembered at most. */
export const tokensMax = 10_000

function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}

/**
 * A memory of at most `max` tokens; beyond it the one that was used longest ago goes. It knows tokens by their SHA-256, so
 * that a dump of the memory lets nobody in.
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
        hits.value += 1
        return finding
      }
      misses.value += 1
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

import { createHmac, randomBytes } from 'node:crypto'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import type { FeatureDependencies } from '../feature-dependencies.js'

/**
 * Digests of client IPs, by which repeated reports are recognized. Without the key, a digest cannot be tried against
 * all addresses.
 * @param configured the key; `null` for a random one.
 */
export function createReporterDigest(configured: string | null): (clientAddress: string) => Buffer {
  const key = configured ?? randomBytes(32)
  return (clientAddress) => createHmac('sha256', key).update(`report ${clientAddress}`).digest()
}

/**
 * What reports need.
 * @param digestKey of `createReporterDigest`.
 */
export function openReports(
  digestKey: string | null,
  limits: RateLimits,
): Pick<FeatureDependencies, 'limitReports' | 'reporterOf'> {
  return {
    limitReports: (context) =>
      limits.take(context, limits.ofReports(context.clientAddress)).finally(() => limits.report(context)),
    reporterOf: createReporterDigest(digestKey),
  }
}

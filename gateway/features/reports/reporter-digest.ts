import { createHmac, randomBytes } from 'node:crypto'

/**
 * Digests of client IPs, by which repeated reports are recognized. Without the key, a digest cannot be tried against
 * all addresses.
 * @param configured the key; `null` for a random one.
 */
export function createReporterDigest(configured: string | null): (clientAddress: string) => Buffer {
  const key = configured ?? randomBytes(32)
  return (clientAddress) => createHmac('sha256', key).update(`report ${clientAddress}`).digest()
}

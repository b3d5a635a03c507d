import type { ContentPorts } from '../ports.js'

const batch = 200

/**
 * Purges the data of expired and used-up shares and of those that were disabled for too long, tombstones older than a
 * year, old reports, ended grants, and expired revisions; returns the number of shares.
 */
export async function purgeExpired(
  {
    shares,
    gates,
    moderation,
    reports,
    revisions,
  }: Pick<ContentPorts, 'shares' | 'gates' | 'moderation' | 'reports' | 'revisions'>,
  signal: AbortSignal,
): Promise<number> {
  const all = async (step: (limit: number) => Promise<number>): Promise<number> => {
    let total = 0
    while (!signal.aborted) {
      const done = await step(batch)
      total += done
      if (done < batch) break
    }
    return total
  }
  const purged =
    (await all(shares.purgeExpired)) + (await all(gates.purgeUsedUp)) + (await all(moderation.purgeDisabled))
  await all(gates.deleteEndedAccessGrants)
  await all(reports.deleteOld)
  await all(shares.deleteOldTombstones)
  await all(revisions.deleteExpired)
  return purged
}

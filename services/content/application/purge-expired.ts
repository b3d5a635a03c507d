import type { ContentPorts } from '../ports.js'

const batch = 200

/**
 * Purges the data of expired shares, the titles of tombstones older than a year, and expired revisions;
 * returns the number of shares.
 */
export async function purgeExpired(
  { shares, revisions }: Pick<ContentPorts, 'shares' | 'revisions'>,
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
  const purged = await all(shares.purgeExpired)
  await all(shares.forgetTitles)
  await all(revisions.deleteExpired)
  return purged
}

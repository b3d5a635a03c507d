import type { ContentPorts } from '../ports.js'

const batch = 200

/** Purges the data of expired shares, and the titles of tombstones older than a year; returns how many. */
export async function purgeShares(
  { shares }: Pick<ContentPorts, 'shares'>,
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
  return purged
}

import type { ContentPorts } from '../ports.js'

const batch = 200

/** Takes the data from every expired share and leaves its tombstone; how many they were. */
export async function purgeShares(
  { shares }: Pick<ContentPorts, 'shares'>,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    const purged = await shares.purgeExpired(batch)
    total += purged
    if (purged < batch || signal.aborted) return total
  }
}

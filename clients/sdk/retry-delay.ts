/** All tries of one request together take at most so long, in milliseconds. */
export const retryMsMax = 120_000
const firstMs = 500
const delayMsMax = 30_000

/**
 * How long to wait before the next try, in milliseconds: as the server says, else twice as long each time with full jitter.
 * @param tries how many have failed before this one.
 * @param random from 0 to below 1.
 */
export function retryDelayMs(tries: number, retryAfter: number | null, random: number): number {
  // A little later than told, so that those who were told the same don't all come at once.
  if (retryAfter !== null) return retryAfter * 1000 + random * 250
  return random * Math.min(delayMsMax, firstMs * 2 ** tries)
}

/** The total time for all tries of a request, in milliseconds. */
export const retryMsMax = 120_000
const firstMs = 500
const delayMsMax = 30_000

/**
 * The delay before the next try, in milliseconds: as the server says, else exponential backoff with full
 * jitter.
 * @param tries the number of failed tries so far.
 * @param random from 0 to below 1.
 */
export function retryDelayMs(tries: number, retryAfter: number | null, random: number): number {
  // Adds jitter, so that clients with the same delay don't all return at once.
  if (retryAfter !== null) return retryAfter * 1000 + random * 250
  return random * Math.min(delayMsMax, firstMs * 2 ** tries)
}

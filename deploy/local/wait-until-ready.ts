import { setTimeout as sleep } from 'node:timers/promises'
import { LaunchError } from './launch-error.js'

const pollMs = 50

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

/**
 * Resolves once `url` answers 200.
 * @throws LaunchError after `timeoutMs`; the signal's reason when that is aborted first.
 */
export async function waitUntilReady(url: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; ) {
    signal.throwIfAborted()
    if (await isReady(url)) return
    await sleep(pollMs)
  }
  throw new LaunchError(
    `The system was not ready within ${timeoutMs / 1000} s. The logs say which part is missing.`,
  )
}

import { setTimeout as sleep } from 'node:timers/promises'

/** What is read again and again. */
export interface ReadTarget {
  readonly url: string
  readonly token: string
}

/** How long reads took, in milliseconds, in the order in which they were made. */
export interface Reads {
  readonly latencies: number[]
  failed: number
}

async function readOnce({ url, token }: ReadTarget, into: Reads): Promise<void> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined)
  await response?.arrayBuffer()
  if (response?.status === 200) into.latencies.push(performance.now() - startedAt)
  else into.failed += 1
}

/** Reads one target after the other, again and again, with 10 ms in between. */
export async function readUntil(
  stopped: () => boolean,
  targets: readonly ReadTarget[],
): Promise<readonly Reads[]> {
  const turns = targets.map((target) => ({ target, reads: { latencies: [], failed: 0 } as Reads }))
  while (!stopped()) {
    for (const { target, reads } of turns) {
      await readOnce(target, reads)
      await sleep(10)
    }
  }
  return turns.map(({ reads }) => reads)
}

import { setTimeout as sleep } from 'node:timers/promises'

/** What is read repeatedly. */
export interface ReadTarget {
  readonly url: string
  readonly token: string
}

/** The latency of reads in milliseconds, in the order they were sent. */
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

/** Reads one target after the other, repeatedly, 10 ms apart. */
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

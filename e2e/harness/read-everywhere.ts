import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ApiClient } from './api-client.js'

/** Reads the same resource at every gateway almost continuously, and records its last success. */
export interface Use {
  /** When the last request sent after `since` got its 200, in milliseconds after it; 0 for none. */
  lastAfter(since: number): number
  /** Stops once every client has been refused, which must be within ten seconds. */
  stopRefused(): Promise<void>
}

export function readEverywhere(clients: readonly ApiClient[], path = '/api/snippets?limit=1'): Use {
  let stopped = false
  const sent: number[] = []
  const refused = new Set<ApiClient>()
  const work = clients.map(async (client) => {
    while (!stopped) {
      const at = performance.now()
      const { status } = await client.get(path)
      if (status >= 500) throw new Error(`status ${status}`)
      if (status === 200) {
        sent.push(at)
        refused.delete(client)
      } else refused.add(client)
      await sleep(5)
    }
  })
  return {
    lastAfter: (since) => Math.max(0, ...sent.map((at) => at - since)),
    async stopRefused() {
      await expect.poll(() => refused.size, { interval: 5 }).toBe(clients.length)
      stopped = true
      await Promise.all(work)
    },
  }
}

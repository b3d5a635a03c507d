import type { Announced } from '../core/announced.js'
import { probeKeys, refusalOf } from './refused-node.js'

/** Notifies subscribers, from a command that exits by itself. */
export interface Announcer {
  /** Sends a message to every subscriber of the channel. Never rejects. */
  announce(channel: string, message: string): Promise<Announced>
  close(): void
}

const noRedis: Announcer = { announce: async () => 'no-redis', close: () => {} }
const unreachable: Announcer = { announce: async () => 'unreachable', close: () => {} }
const timeoutMs = 3_000

/** A replica would accept messages and tell no one. */
async function refuseUnusable(probe: () => Promise<unknown>): Promise<void> {
  try {
    await probe()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== null) throw refusal
  }
}

/**
 * Connects once without retries: the user of a command is waiting, and caches that miss a message expire by
 * themselves.
 */
export async function openAnnouncer(url: string | null): Promise<Announcer> {
  if (url === null) return noRedis
  const { createClient } = await import('redis')
  const client = createClient({
    url,
    name: 'snipkeep-operator',
    disableOfflineQueue: true,
    commandOptions: { timeout: timeoutMs },
    socket: { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false },
  })
  // Every failure is an error event as well.
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseUnusable(() => client.del(probeKeys))
  } catch {
    if (client.isOpen) client.destroy()
    return unreachable
  }
  return {
    async announce(channel, message) {
      try {
        await client.publish(channel, message)
        return 'told'
      } catch {
        return 'unreachable'
      }
    },
    close() {
      if (client.isOpen) client.destroy()
    },
  }
}

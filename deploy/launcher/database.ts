import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '#libs/core/message-of.js'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#libs/embedded-postgres/start-embedded-postgres.js'
import { makeServingLogins } from '#libs/postgres/serving-role.js'
import type { LauncherConfig } from './config.js'
import { type DatabaseAddresses, servingRoleOf, storedProcesses } from './processes.js'

export interface Database extends DatabaseAddresses {
  /** Stops it if it is the embedded one. */
  stop(): Promise<void>
}

const restartDelayMs = 500

/** Logins that read and write one schema but cannot alter it; only migrations run as the superuser. */
async function servingAddresses(url: string): Promise<DatabaseAddresses['serving']> {
  const addresses = await makeServingLogins(url, storedProcesses.map(servingRoleOf))
  return Object.fromEntries(storedProcesses.map((service, index) => [service, addresses[index]]))
}

/**
 * Uses the database of DATABASE_URL, or starts the embedded one, which is restarted if it dies.
 * @throws EmbeddedPostgresError with a message for the operator.
 */
export async function openDatabase(config: LauncherConfig, say: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, serving: {}, stop: async () => {} }
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres'), log: say })
  let stopping = false
  let server = await start()

  const watch = async (): Promise<void> => {
    while (!stopping) {
      await server.exited
      if (stopping) return
      say('[postgres] Postgres ended unexpectedly; starting it again.')
      await sleep(restartDelayMs)
      if (stopping) return
      try {
        server = await start()
      } catch (error) {
        say(`[postgres] ${messageOf(error)}`)
      }
    }
  }
  const watching = watch()
  return {
    url: server.url,
    serving: await servingAddresses(server.url),
    async stop() {
      stopping = true
      await server.stop()
      await watching
      // A server that was just being restarted must be stopped as well.
      await server.stop()
    },
  }
}

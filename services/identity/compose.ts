import { grpcHandlers } from '#libs/grpc/handler.js'
import { startGrpcServer } from '#libs/grpc/server.js'
import { createLogger } from '#libs/log/logger.js'
import { migrate } from '#libs/postgres/migrate.js'
import { createPool } from '#libs/postgres/pool.js'
import { randomBase62 } from '#libs/runtime/random-id.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { grpcServer } from './adapters/grpc-server.js'
import { postgresAccountStore } from './adapters/postgres-account-store.js'
import type { IdentityConfig } from './config.js'
import { accountId } from './domain/account.js'
import { accounts } from './migrations/0001-accounts.js'
import type { IdentityPorts } from './ports.js'

/** 131 random bits. */
const idLength = 22

/** Puts identity together and listens. */
export async function compose(config: IdentityConfig): Promise<RunningProcess> {
  const log = createLogger('identity', config.logLevel)
  const pool = createPool(config.database, log)
  const ports: IdentityPorts = {
    accounts: postgresAccountStore(pool),
    ids: { next: () => accountId(randomBase62(idLength)) },
  }
  const server = await startGrpcServer(config.grpcHost, config.grpcPort, [
    grpcServer(grpcHandlers(log), ports),
  ])
  log.info({ port: server.port }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      await server.stop()
      await pool.end()
    },
  }
}

/** Brings the schema up to date. */
export async function migrateSchema(config: IdentityConfig): Promise<void> {
  await migrate(config.database, [accounts])
}

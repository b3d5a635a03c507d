import { setTimeout as sleep } from 'node:timers/promises'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { createLogger, type Logger } from '#libs/log/logger.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { createPool, type PoolOptions } from '#libs/postgres/pool.js'
import { type PeriodicTask, periodicTask } from '#libs/runtime/periodic-task.js'
import { say } from '#libs/runtime/run-command.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { openPeerTransport } from '#libs/service/open-peer-transport.js'
import { type ServicePlatform, startService } from '#libs/service/start-service.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { grpcHistory } from './adapters/grpc-history.js'
import { nodeHashing } from './adapters/node-hashing.js'
import { postgresHistoryStore } from './adapters/postgres-history-store.js'
import { randomEntryIds } from './adapters/random-entry-ids.js'
import type { ActivityConfig } from './config.js'
import { history } from './migrations/0001-history.js'
import type { ActivityPorts } from './ports.js'

function startTasks(
  { history: store }: ActivityPorts,
  config: ActivityConfig,
  log: Logger,
): readonly PeriodicTask[] {
  return [
    periodicTask('purge', config.purgeIntervalMs, log, async (signal) => {
      const purged = await store.purgeLapsed(config.plans.free.history, signal)
      if (purged > 0) log.info({ purged }, 'purged history that lapsed plans had hidden')
    }),
    periodicTask('forget', config.purgeIntervalMs, log, async (signal) => {
      await store.deleteExpiredResponses(signal)
    }),
  ]
}

/** Listens over this store. */
export async function serveActivity(
  config: ActivityConfig,
  history: ActivityPorts['history'],
  { log, pool, metricsPort }: ServicePlatform,
): Promise<RunningProcess> {
  const transport = openPeerTransport(config, log)
  const ports: ActivityPorts = { history, ids: randomEntryIds, hashing: nodeHashing }
  const protocol = config.production ? null : fileDescriptors
  const server = await startService({ config, transport, pool, log, protocol }, [
    grpcHistory(grpcHandlers(log), ports, config.plans),
  ])
  const tasks = startTasks(ports, config, log)
  log.info({ port: server.port, metrics_port: metricsPort }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      server.unready()
      await sleep(config.shutdownDelayMs)
      await Promise.all(tasks.map((task) => task.stop()))
      await server.stop()
      transport.close()
    },
  }
}

/** Puts activity together and listens. */
export async function compose(config: ActivityConfig): Promise<RunningProcess> {
  const telemetry = await openTelemetry(config.telemetry, { service: 'activity' })
  const log = createLogger('activity', config.logLevel)
  const pool = createPool(config.database, log)
  const { metricsPort } = telemetry
  const running = await serveActivity(config, postgresHistoryStore(pool), { log, pool, metricsPort })
  return {
    ...running,
    async stop() {
      await running.stop()
      await pool.end()
      await telemetry.stop()
    },
  }
}

/** The steps of the schema, in their order. */
export const migrations: readonly Migration[] = [history]

/** Brings the schema up to date. */
export async function migrateSchema(database: PoolOptions): Promise<void> {
  await migrate(database, migrations, say)
}

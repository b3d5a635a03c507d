import { grpcHandlers } from '#libs/grpc/handler.js'
import { startGrpcServer } from '#libs/grpc/server.js'
import { createLogger, type Logger } from '#libs/log/logger.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { type PeriodicTask, periodicTask } from '#libs/runtime/periodic-task.js'
import { say } from '#libs/runtime/run-command.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { grpcDocuments } from './adapters/grpc-documents.js'
import { grpcPlans } from './adapters/grpc-plans.js'
import { grpcShares } from './adapters/grpc-shares.js'
import { grpcSnippets } from './adapters/grpc-snippets.js'
import { grpcUsage } from './adapters/grpc-usage.js'
import { nodeHashing } from './adapters/node-hashing.js'
import { postgresDocumentRegistry } from './adapters/postgres-document-registry.js'
import { postgresDocumentStore } from './adapters/postgres-document-store.js'
import { postgresIdempotencyStore } from './adapters/postgres-idempotency-store.js'
import { postgresPlanVersions } from './adapters/postgres-plan-versions.js'
import { postgresShareStore } from './adapters/postgres-share-store.js'
import { postgresSnippetStore } from './adapters/postgres-snippet-store.js'
import { randomContentIds } from './adapters/random-content-ids.js'
import { purgeShares } from './application/purge-shares.js'
import { sweep } from './application/sweep.js'
import type { ContentConfig } from './config.js'
import { content } from './migrations/0001-content.js'
import { planChanges } from './migrations/0002-plan-changes.js'
import type { ContentPorts } from './ports.js'

function createPorts(durable: Pool, deferred: Pool): ContentPorts {
  return {
    snippets: postgresSnippetStore(durable),
    shares: postgresShareStore(durable),
    planVersions: postgresPlanVersions(durable),
    registry: postgresDocumentRegistry(deferred),
    documents: postgresDocumentStore(deferred),
    idempotency: postgresIdempotencyStore(deferred),
    ids: randomContentIds,
    hashing: nodeHashing,
    monotonicMs: () => performance.now(),
  }
}

function startTasks(ports: ContentPorts, config: ContentConfig, log: Logger): readonly PeriodicTask[] {
  return [
    periodicTask('purge', config.purgeIntervalMs, log, async (signal) => {
      const purged = await purgeShares(ports, signal)
      if (purged > 0) log.info({ purged }, 'purged expired shares')
    }),
    periodicTask('sweep', config.sweepIntervalMs, log, async (signal) => {
      const swept = await sweep(ports, config.orphanGraceMs, signal)
      if (swept.documents + swept.keys > 0) log.info(swept, 'swept what nothing names')
    }),
  ]
}

/** Puts content together and listens. */
export async function compose(config: ContentConfig): Promise<RunningProcess> {
  const log = createLogger('content', config.logLevel)
  const half = Math.ceil(config.database.connectionsMax / 2)
  const durable = createPool({ ...config.database, connectionsMax: half }, log)
  const deferred = createPool({ ...config.database, connectionsMax: half, synchronousCommit: false }, log)
  const ports = createPorts(durable, deferred)
  const handlers = grpcHandlers(log)
  const server = await startGrpcServer(config.grpcHost, config.grpcPort, [
    grpcSnippets(handlers, ports, config.plans),
    grpcShares(handlers, ports, config.plans),
    grpcDocuments(handlers, ports, config.plans),
    grpcUsage(handlers, ports),
    grpcPlans(handlers, ports, config.plans),
  ])
  const tasks = startTasks(ports, config, log)
  log.info({ port: server.port }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()))
      await server.stop()
      await Promise.all([durable.end(), deferred.end()])
    },
  }
}

/** The steps of the schema, in their order. */
export const migrations: readonly Migration[] = [content, planChanges]

/** Brings the schema up to date. */
export async function migrateSchema(config: ContentConfig): Promise<void> {
  await migrate(config.database, migrations, say)
}

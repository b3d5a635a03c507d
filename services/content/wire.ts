import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { createLogger, type Logger } from '#libs/log/logger.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { type PeriodicTask, periodicTask } from '#libs/runtime/periodic-task.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { tuneGc } from '#libs/runtime/tune-gc.js'
import { runGrpcService, runOnPlatform } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { type AccountSteps, startAccountSteps } from '#shared/erasure/start-account-steps.js'
import { postgresAuditOutbox } from '#shared/operator/audit-outbox.js'
import { startAuditDelivery } from '#shared/operator/start-audit-delivery.js'
import { countCorruption, fallbackDocumentStore, soleDocumentStore } from './adapters/document-stores.js'
import { grpcChecks } from './adapters/grpc-checks.js'
import { grpcContracts } from './adapters/grpc-contracts.js'
import { grpcDocuments } from './adapters/grpc-documents.js'
import { grpcEventRecorder } from './adapters/grpc-event-recorder.js'
import { grpcImports } from './adapters/grpc-imports.js'
import { grpcOperators } from './adapters/grpc-operators.js'
import { grpcPlans, grpcUsage } from './adapters/grpc-owners.js'
import { grpcReports } from './adapters/grpc-reports.js'
import { grpcRevisions } from './adapters/grpc-revisions.js'
import { grpcShares } from './adapters/grpc-shares.js'
import { grpcSnippets } from './adapters/grpc-snippets.js'
import { nodeHashing, randomContentIds } from './adapters/node-crypto.js'
import { postgresCheckStore } from './adapters/postgres-check-store.js'
import { postgresContractStore } from './adapters/postgres-contract-store.js'
import { postgresDocumentRegistry } from './adapters/postgres-document-registry.js'
import { postgresDocumentStore } from './adapters/postgres-document-store.js'
import { observeOutbox, postgresEventOutbox } from './adapters/postgres-event-outbox.js'
import { postgresIdempotencyStore } from './adapters/postgres-idempotency-store.js'
import { postgresModerationStore } from './adapters/postgres-moderation-store.js'
import { postgresOwnerErasure } from './adapters/postgres-owner-erasure.js'
import { postgresPlanVersions, postgresStorageUsage } from './adapters/postgres-owners.js'
import { postgresReportStore } from './adapters/postgres-report-store.js'
import { postgresRevisionStore } from './adapters/postgres-revision-store.js'
import { postgresShareGates } from './adapters/postgres-share-gates.js'
import { postgresShareStore } from './adapters/postgres-share-store.js'
import { postgresSnippetStore } from './adapters/postgres-snippet-store.js'
import { scryptPasswords } from './adapters/scrypt-passwords.js'
import { startEventJobs } from './adapters/start-event-jobs.js'
import { watchFreeSpace } from './adapters/watch-free-space.js'
import { eraseOwner } from './application/erase-owner.js'
import { type MoveProgress, moveDocuments } from './application/move-documents.js'
import { purgeExpired, sweep } from './application/sweep.js'
import { type ContentConfig, readConfig } from './config.js'
import type { AtomicDocumentStore, DocumentStore } from './document-ports.js'
import { ownerId } from './domain/ids.js'
import type { ContentPorts } from './ports.js'

/** The store of `DOCUMENT_STORE=s3`; without it the SDK is never loaded. */
export async function openS3(
  config: ContentConfig['documents'],
  writeMsMax: number,
): Promise<(AtomicDocumentStore & { close(): void }) | null> {
  if (config.kind !== 's3') return null
  const { s3DocumentStore } = await import('./adapters/s3-document-store.js')
  return s3DocumentStore(config, writeMsMax)
}

/** The stores of content. */
export type ContentStores = Omit<ContentPorts, 'diskIsFull' | 'ids' | 'hashing' | 'passwords' | 'monotonicMs'>

function postgresStores(durable: Pool, deferred: Pool, documents: DocumentStore): ContentStores {
  return {
    snippets: postgresSnippetStore(durable),
    revisions: postgresRevisionStore(durable),
    contracts: postgresContractStore(durable),
    checks: postgresCheckStore(durable),
    shares: postgresShareStore(durable),
    reports: postgresReportStore(durable),
    moderation: postgresModerationStore(durable),
    gates: postgresShareGates(durable),
    erasure: postgresOwnerErasure(durable),
    planVersions: postgresPlanVersions(durable),
    outbox: postgresEventOutbox(durable),
    auditOutbox: postgresAuditOutbox(durable),
    registry: postgresDocumentRegistry(deferred),
    documents,
    usage: postgresStorageUsage(durable),
    idempotency: postgresIdempotencyStore(deferred),
  }
}

function startTasks(ports: ContentPorts, config: ContentConfig, log: Logger): readonly PeriodicTask[] {
  return [
    periodicTask('purge', config.purgeIntervalMs, log, async (signal) => {
      const purged = await purgeExpired(ports, signal)
      if (purged > 0) log.info({ event: 'expired_shares_deleted', purged }, 'deleted expired shares')
    }),
    periodicTask('sweep', config.sweepIntervalMs, log, async (signal) => {
      const swept = await sweep(ports, config.orphanGraceMs, signal)
      if (swept.documents + swept.keys > 0)
        log.info({ event: 'orphaned_documents_deleted', ...swept }, 'deleted orphaned documents')
    }),
  ]
}

/** What content does for closed, suspended and erased accounts. */
function accountSteps(ports: ContentPorts, { orphanGraceMs }: ContentConfig): AccountSteps {
  return {
    setHidden: (id, hidden, version) => ports.moderation.setSuspended(ownerId(id), hidden, version),
    erase: (id) => eraseOwner(ports, ownerId(id), orphanGraceMs),
  }
}

/** How often free disk space is checked, in milliseconds. */
const freeSpaceIntervalMs = 5_000

/** Listens with these stores. */
export function serveContent(
  config: ContentConfig,
  stores: ContentStores,
  platform: ServicePlatform,
): Promise<RunningProcess> {
  const { log } = platform
  return runGrpcService(config, platform, fileDescriptors, async (transport) => {
    const freeSpace = await watchFreeSpace({ ...config.freeSpace, intervalMs: freeSpaceIntervalMs, log })
    const ports: ContentPorts = {
      ...stores,
      diskIsFull: freeSpace.isLow,
      ids: randomContentIds,
      hashing: nodeHashing,
      passwords: scryptPasswords(),
      monotonicMs: () => performance.now(),
    }
    const recorder = grpcEventRecorder(config.targets.identity, transport)
    const handlers = grpcHandlers(log, countCorruption)
    const identity = { target: config.targets.identity, transport }
    const steps = startAccountSteps('content', identity, accountSteps(ports, config), log)
    const audit = startAuditDelivery(ports.auditOutbox, identity, log)
    return {
      services: [
        grpcSnippets(handlers, ports, config.plans),
        grpcRevisions(handlers, ports, config.plans),
        grpcContracts(handlers, ports, config.plans),
        grpcChecks(handlers, ports, config.plans),
        grpcShares(handlers, ports, config.plans),
        grpcReports(handlers, ports, audit.wake),
        grpcOperators(handlers, ports, audit.wake),
        grpcImports(handlers, ports, config.plans),
        grpcDocuments(handlers, ports, config.plans),
        grpcUsage(handlers, ports),
        grpcPlans(handlers, ports, config.plans),
      ],
      background: [
        freeSpace,
        ...startTasks(ports, config, log),
        ...startEventJobs(ports, recorder, log),
        steps,
        audit,
      ],
      close: recorder.close,
    }
  })
}

/** Serves until it is stopped. */
export function compose(env: Environment): Promise<RunningProcess> {
  const config = readConfig(env)
  tuneGc()
  const connectionsMax = Math.ceil(config.database.connectionsMax / 2)
  const database = { ...config.database, connectionsMax }
  return runOnPlatform('content', { ...config, database }, async (platform) => {
    const { log, pool: durable } = platform
    observeOutbox(durable, () => performance.now())
    const deferred = createPool({ ...database, synchronousCommit: false }, log)
    const rows = postgresDocumentStore(deferred)
    const s3 = await openS3(config.documents, config.orphanGraceMs)
    const documents = s3 === null ? soleDocumentStore(rows, log) : fallbackDocumentStore(s3, rows)
    const running = await serveContent(config, postgresStores(durable, deferred, documents), platform)
    return {
      ...running,
      async stop() {
        await running.stop()
        await deferred.end()
        s3?.close()
      },
    }
  })
}

function printProgress({ moved, bytes, waiting, unnamed, failed }: MoveProgress): void {
  const megabytes = Math.ceil(bytes / 1_048_576)
  const rest = `${waiting} are copied and wait for readers to finish, ${unnamed} are orphaned, ${failed} failed`
  process.stdout.write(`${moved} documents (${megabytes} MB) moved; ${rest}.\n`)
}

/** Moves documents from Postgres to S3, and prints the progress. */
export async function moveToS3(env: Environment): Promise<void> {
  const config = readConfig(env)
  const log = createLogger('content', config.logLevel)
  const s3 = await openS3(config.documents, config.orphanGraceMs)
  if (s3 === null)
    throw new ConfigError([
      'DOCUMENT_STORE must be s3 to move documents, and first in all content processes.',
    ])
  const pool = createPool(config.database, log)
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  try {
    const ports = {
      registry: postgresDocumentRegistry(pool),
      from: postgresDocumentStore(pool),
      to: s3,
      hashing: nodeHashing,
      monotonicMs: () => performance.now(),
      wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {}),
    }
    const end = await moveDocuments(ports, {
      graceMs: config.orphanGraceMs,
      stop: stop.signal,
      report: printProgress,
      failed: (id, error) =>
        log.warn({ event: 'document_move_failed', err: error, document_id: id }, 'document move failed'),
    })
    printProgress(end)
    if (stop.signal.aborted) throw new Error('Stopped before the end. Run it again to continue.')
    if (end.failed > 0)
      throw new Error(`${end.failed} documents could not be moved; see the log. Run it again.`)
  } finally {
    await pool.end()
    s3.close()
  }
}

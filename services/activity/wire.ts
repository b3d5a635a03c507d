import type { Environment } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { Logger } from '#libs/log/logger.js'
import { type PeriodicTask, periodicTask } from '#libs/runtime/periodic-task.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { runGrpcService, runOnPlatform } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { type AccountSteps, startAccountSteps } from '#shared/erasure/start-account-steps.js'
import { grpcHistory } from './adapters/grpc-history.js'
import { nodeHashing, randomEntryIds } from './adapters/node-crypto.js'
import { postgresHistoryStore } from './adapters/postgres-history-store.js'
import { type ActivityConfig, readConfig } from './config.js'
import { ownerId } from './domain/ids.js'
import type { ActivityPorts } from './ports.js'

function startTasks(
  { history: store }: ActivityPorts,
  config: ActivityConfig,
  log: Logger,
): readonly PeriodicTask[] {
  return [
    periodicTask('purge', config.purgeIntervalMs, log, async (signal) => {
      const purged = await store.purgeLapsed(config.plans.free.history, signal)
      if (purged > 0) log.info({ event: 'history_purged', purged }, 'deleted history hidden by lapsed plans')
    }),
    periodicTask('forget', config.purgeIntervalMs, log, async (signal) => {
      await store.deleteExpiredResponses(signal)
    }),
  ]
}

/** Listens with this store. */
export function serveActivity(
  config: ActivityConfig,
  history: ActivityPorts['history'],
  platform: ServicePlatform,
): Promise<RunningProcess> {
  const { log } = platform
  const ports: ActivityPorts = { history, ids: randomEntryIds, hashing: nodeHashing }
  return runGrpcService(config, platform, fileDescriptors, (transport) => {
    const identity = { target: config.targets.identity, transport }
    const steps: AccountSteps = {
      async erase(id) {
        await history.eraseOwner(ownerId(id))
        return true
      },
    }
    return {
      services: [grpcHistory(grpcHandlers(log), ports, config.plans)],
      background: [...startTasks(ports, config, log), startAccountSteps('activity', identity, steps, log)],
    }
  })
}

/** Serves until it is stopped. */
export function compose(env: Environment): Promise<RunningProcess> {
  const config = readConfig(env)
  return runOnPlatform('activity', config, (platform) =>
    serveActivity(config, postgresHistoryStore(platform.pool), platform),
  )
}

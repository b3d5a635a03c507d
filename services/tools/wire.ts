import type { Environment } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { createLogger } from '#libs/log/logger.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { runGrpcService } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { type ChildPool, createChildPool } from './adapters/child-pool.js'
import { jobEntry, startChild } from './adapters/child-process.js'
import { childRunner } from './adapters/child-runner.js'
import { fileSpools } from './adapters/file-spools.js'
import { grpcJobs } from './adapters/grpc-jobs.js'
import { createJobSlots, type JobSlots } from './application/job-slots.js'
import { readConfig, type ToolsConfig } from './config.js'
import type { ToolsPorts } from './ports.js'

function observeJobs(slots: JobSlots, pool: ChildPool): () => void {
  const stopJobs = metrics.toolJobs.observe(() =>
    Object.entries(slots.counts()).flatMap(([lane, { running, waiting }]) => [
      [[lane, 'running'], running] as const,
      [[lane, 'waiting'], waiting] as const,
    ]),
  )
  const stopChildren = metrics.toolChildrenMemory.observe(() => [[[], pool.residentBytes()]])
  return () => {
    stopJobs()
    stopChildren()
  }
}

/** Of all outputs that wait for their readers. */
const spooledBytesMax = 1_073_741_824

/** Listens for jobs. */
export function serveTools(config: ToolsConfig, platform: ServicePlatform): Promise<RunningProcess> {
  const pool = createChildPool((memory) => startChild(jobEntry, memory))
  const ports: ToolsPorts = {
    runner: childRunner(pool),
    spools: fileSpools(spooledBytesMax),
    now: performance.now.bind(performance),
    after(ms, act) {
      const timer = setTimeout(act, ms).unref()
      return () => clearTimeout(timer)
    },
  }
  const slots = createJobSlots(ports)
  const stopObserving = observeJobs(slots, pool)
  return runGrpcService(config, platform, fileDescriptors, () => ({
    services: [grpcJobs(grpcHandlers(platform.log), ports, slots)],
    close() {
      stopObserving()
      pool.close()
    },
  }))
}

/** Serves until it is stopped. */
export async function compose(env: Environment): Promise<RunningProcess> {
  const config = readConfig(env)
  const telemetry = await openTelemetry(config.telemetry, { service: 'tools' })
  const platform = {
    log: createLogger('tools', config.logLevel),
    pool: null,
    metricsPort: telemetry.metricsPort,
  }
  const running = await serveTools(config, platform)
  return {
    ...running,
    async stop() {
      await running.stop()
      await telemetry.stop()
    },
  }
}

import type { Environment } from '#libs/config/read-variables.js'
import { createLogger } from '#libs/log/logger.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { runGrpcService } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { readConfig, type ToolsConfig } from './config.js'

/** Listens for jobs. */
export function serveTools(config: ToolsConfig, platform: ServicePlatform): Promise<RunningProcess> {
  return runGrpcService(config, platform, fileDescriptors, () => ({ services: [] }))
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

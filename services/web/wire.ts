import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createLogger } from '#libs/log/logger.js'
import { createDrain } from '#libs/runtime/drain-server.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { openPeerTransport } from '#libs/service/open-peer-transport.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { type Assets, readAssets } from './assets.js'
import type { WebConfig } from './config.js'
import { createPageServer } from './server.js'
import { grpcShareReader } from './share-reader.js'

const readBuiltAssets = (): Promise<Assets> =>
  readAssets(fileURLToPath(new URL('./browser/', import.meta.url)))

/** Starts the web application, with the built assets unless others are given. */
export async function compose(
  config: WebConfig,
  assetsOf: () => Promise<Assets> = readBuiltAssets,
): Promise<RunningProcess> {
  const telemetry = await openTelemetry(config.telemetry, { service: 'web' })
  const log = createLogger('web', config.logLevel)
  const transport = openPeerTransport(config, log)
  const shares = grpcShareReader(config.contentTarget, transport)
  const assets = await assetsOf()
  const server = createPageServer({ shares, assets, signIn: config.signIn, site: config.site, log })
  const drain = createDrain(server)
  server.listen(config.port, config.host)
  await once(server, 'listening')
  log.info({ event: 'listening', port: config.port, metrics_port: telemetry.metricsPort }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      await drain(config.shutdownDelayMs)
      shares.close()
      transport.close()
      await telemetry.stop()
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundService, ServerOptions } from '../grpc/server.js'
import type { Transport } from '../grpc/transport.js'
import { createLogger } from '../log/logger.js'
import { createPool, type Pool } from '../postgres/pool.js'
import type { RunningProcess } from '../runtime/run-process.js'
import { openTelemetry } from '../telemetry/open-telemetry.js'
import { openPeerTransport } from './open-peer-transport.js'
import type { ServiceConfig } from './service-config.js'
import { type ServicePlatform, startService } from './start-service.js'

/** The parts of a service. */
export interface ServiceDependencies {
  readonly services: readonly BoundService[]
  /** Stopped while calls are drained. */
  readonly background?: readonly { stop(): Promise<void> | void }[]
  /** Stops accepting work after this many milliseconds, like the gRPC server. */
  readonly drain?: (delayMs: number) => Promise<void>
  /** Runs when calls and background tasks have ended. */
  readonly close?: () => Promise<void> | void
  /** Further fields of the log line with the listening address. */
  readonly logFields?: Readonly<Record<string, unknown>>
}

/**
 * Listens for gRPC calls. A stopping process reports not ready for SHUTDOWN_DELAY_MS before it drains.
 * @param protocol for reflection, outside production.
 */
export async function runGrpcService(
  config: Omit<ServiceConfig, 'database'> & Partial<Pick<ServiceConfig, 'database'>>,
  { log, pool, metricsPort }: ServicePlatform,
  protocol: NonNullable<ServerOptions['protocol']>,
  open: (transport: Transport) => ServiceDependencies | Promise<ServiceDependencies>,
): Promise<RunningProcess> {
  const transport = openPeerTransport(config, log)
  const { services, background = [], drain = sleep, close, logFields } = await open(transport)
  const options = { config, transport, pool, log, protocol: config.production ? null : protocol }
  const server = await startService(options, services)
  log.info({ event: 'listening', port: server.port, ...logFields, metrics_port: metricsPort }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      server.unready()
      await drain(config.shutdownDelayMs)
      await Promise.all([server.stop(), ...background.map((task) => task.stop())])
      await close?.()
      transport.close()
    },
  }
}

/** Runs a process with telemetry, a log and a connection pool, which are closed after it has stopped. */
export async function runOnPlatform(
  name: string,
  config: Pick<ServiceConfig, 'telemetry' | 'logLevel' | 'database'>,
  run: (platform: ServicePlatform & { readonly pool: Pool }) => Promise<RunningProcess>,
): Promise<RunningProcess> {
  const telemetry = await openTelemetry(config.telemetry, { service: name })
  const log = createLogger(name, config.logLevel)
  const pool = createPool(config.database, log)
  const running = await run({ log, pool, metricsPort: telemetry.metricsPort })
  return {
    ...running,
    async stop() {
      await running.stop()
      await pool.end()
      await telemetry.stop()
    },
  }
}

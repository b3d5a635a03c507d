import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../core/domain-error.js'
import { type BoundService, type RunningServer, type ServerOptions, startGrpcServer } from '../grpc/server.js'
import type { Logger } from '../log/logger.js'
import { whyNotConnected } from '../postgres/migration-error.js'
import { type Pool, query } from '../postgres/pool.js'
import type { ServiceConfig } from './service-config.js'

/** The pause after a failed attempt to reach the database, in milliseconds. */
const retryMs = 1_000

/** The dependencies of a service besides its stores. */
export interface ServicePlatform {
  readonly log: Logger
  /** The pool for its calls; `null` if the stores need no database, and the service is ready at once. */
  readonly pool: Pool | null
  /** The address of its metrics, for the log. */
  readonly metricsPort: number | undefined
}

/** The parts of a service with a schema. */
export interface ServiceOptions
  extends Pick<ServerOptions, 'transport' | 'protocol'>,
    Pick<ServicePlatform, 'log' | 'pool'> {
  /** A process without stores has no database. */
  readonly config: Pick<ServiceConfig, 'grpc'> & Partial<Pick<ServiceConfig, 'database'>>
}

/** Resolves once the database has responded, or the signal is aborted; each new reason why not is logged. */
async function reachDatabase(pool: Pool, url: string, log: Logger, signal: AbortSignal): Promise<void> {
  let lastReason = ''
  while (!signal.aborted) {
    try {
      await query(pool, { text: 'SELECT 1' })
      if (lastReason !== '') log.info({ event: 'ready' }, 'the database responds: ready')
      return
    } catch (error) {
      const cause = error instanceof DomainError ? error.cause : error
      const { what, remedy } = whyNotConnected(url, cause)
      if (what !== lastReason)
        log.error(
          { event: 'database_unreachable', reason: what, remedy },
          'not ready: the database has not responded yet',
        )
      lastReason = what
    }
    await sleep(retryMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Listens, and reports NOT_SERVING until the database has responded once: a rollout with a wrong password then stops
 * before it replaces good pods. A later outage of the database changes nothing here, since restarts would not help.
 */
export async function startService(
  { config, pool, ...options }: ServiceOptions,
  services: readonly BoundService[],
): Promise<RunningServer> {
  const server = await startGrpcServer({ ...config.grpc, ...options, readyAtOnce: pool === null }, services)
  if (pool === null) return server
  const stopping = new AbortController()
  const reached = reachDatabase(pool, config.database?.url ?? '', options.log, stopping.signal).then(
    server.ready,
  )
  const unready = (): void => {
    server.unready()
    stopping.abort()
  }
  return {
    ...server,
    unready,
    async stop() {
      unready()
      await Promise.all([reached, server.stop()])
    },
  }
}

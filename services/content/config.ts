import { planCatalogue, planVariables } from '#libs/config/plan-variables.js'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer } from '#libs/config/variables.js'
import type { PlanCatalogue } from '#libs/core/plan.js'
import { grpcServerVariables, refusePlainServer } from '#libs/grpc/grpc-variables.js'
import type { PoolOptions } from '#libs/postgres/pool.js'
import { databaseOptions, postgresVariables } from '#libs/postgres/postgres-variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from '#libs/telemetry/telemetry-variables.js'

const minute = 60_000
const hour = 60 * minute

/** What content reads from its environment. */
export const variables = {
  ...processVariables,
  ...telemetryVariables,
  ...grpcServerVariables,
  ...postgresVariables('snipkeep_content'),
  CONTENT_PURGE_INTERVAL_MS: integer(
    'Milliseconds between two purges of expired shares.',
    { min: 100, max: hour },
    5 * minute,
  ),
  CONTENT_SWEEP_INTERVAL_MS: integer(
    'Milliseconds between two sweeps of documents that nothing names.',
    { min: 100, max: hour },
    5 * minute,
  ),
  CONTENT_ORPHAN_GRACE_MS: integer(
    'Milliseconds that a document which nothing names is kept: uploads and reads under way must fit into it.',
    { min: 0, max: 24 * hour },
    30 * minute,
  ),
  ...planVariables,
}

/** Content's configuration. */
export interface ContentConfig {
  readonly logLevel: string
  readonly telemetry: TelemetryConfig
  readonly shutdownGraceMs: number
  readonly grpcHost: string
  readonly grpcPort: number
  readonly database: PoolOptions
  readonly purgeIntervalMs: number
  readonly sweepIntervalMs: number
  readonly orphanGraceMs: number
  readonly plans: PlanCatalogue
}

/**
 * Reads content's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment): ContentConfig {
  const values = readVariables(variables, env, (parsed) => {
    const untilGone =
      parsed.CONTENT_PURGE_INTERVAL_MS + parsed.CONTENT_ORPHAN_GRACE_MS + parsed.CONTENT_SWEEP_INTERVAL_MS
    return [
      ...refusePlainServer(parsed),
      ...(untilGone > hour
        ? [
            'CONTENT_PURGE_INTERVAL_MS, CONTENT_ORPHAN_GRACE_MS and CONTENT_SWEEP_INTERVAL_MS must add up to at most an hour, in which expired shares are purged.',
          ]
        : []),
    ]
  })
  return {
    logLevel: values.LOG_LEVEL,
    telemetry: telemetryConfig(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    grpcHost: values.GRPC_HOST,
    grpcPort: values.GRPC_PORT,
    database: databaseOptions(values, 'content'),
    purgeIntervalMs: values.CONTENT_PURGE_INTERVAL_MS,
    sweepIntervalMs: values.CONTENT_SWEEP_INTERVAL_MS,
    orphanGraceMs: values.CONTENT_ORPHAN_GRACE_MS,
    plans: planCatalogue(values),
  }
}

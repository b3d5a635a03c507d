import { planCatalogue, planVariables } from '#libs/config/plan-variables.js'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer, port } from '#libs/config/variables.js'
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

/** What activity reads from its environment. */
export const variables = {
  ...processVariables,
  ...telemetryVariables,
  ...grpcServerVariables,
  GRPC_PORT: port('The port that the gRPC server listens on.', 50_053),
  ...postgresVariables('snipkeep_activity'),
  ACTIVITY_PURGE_INTERVAL_MS: integer(
    'Milliseconds between two purges of history that a lapsed plan has hidden for 30 days.',
    { min: 100, max: 86_400_000 },
    300_000,
  ),
  ...planVariables,
}

/** Activity's configuration. */
export interface ActivityConfig {
  readonly logLevel: string
  readonly telemetry: TelemetryConfig
  readonly shutdownGraceMs: number
  readonly grpcHost: string
  readonly grpcPort: number
  readonly database: PoolOptions
  readonly purgeIntervalMs: number
  readonly plans: PlanCatalogue
}

/**
 * Reads activity's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment): ActivityConfig {
  const values = readVariables(variables, env, refusePlainServer)
  return {
    logLevel: values.LOG_LEVEL,
    telemetry: telemetryConfig(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    grpcHost: values.GRPC_HOST,
    grpcPort: values.GRPC_PORT,
    database: databaseOptions(values, 'activity'),
    purgeIntervalMs: values.ACTIVITY_PURGE_INTERVAL_MS,
    plans: planCatalogue(values),
  }
}

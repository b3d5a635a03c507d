import { planCatalogue, planVariables } from '#libs/config/plan-variables.js'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer, port } from '#libs/config/variables.js'
import type { PlanCatalogue } from '#libs/core/plan.js'
import type { CertificateFiles } from '#libs/grpc/certificate-files.js'
import {
  certificateFiles,
  type GrpcAddress,
  grpcAddress,
  grpcServerVariables,
  transportProblems,
} from '#libs/grpc/grpc-variables.js'
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
  readonly shutdownDelayMs: number
  readonly telemetry: TelemetryConfig
  readonly shutdownGraceMs: number
  readonly grpc: GrpcAddress
  /** `null` for plain text. */
  readonly certificates: CertificateFiles | null
  readonly database: PoolOptions
  readonly purgeIntervalMs: number
  readonly plans: PlanCatalogue
}

/**
 * Reads activity's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment): ActivityConfig {
  const values = readVariables(variables, env, (parsed) =>
    transportProblems(parsed, { GRPC_HOST: parsed.GRPC_HOST }),
  )
  return {
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    telemetry: telemetryConfig(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    grpc: grpcAddress(values),
    certificates: certificateFiles(values),
    database: databaseOptions(values, 'activity'),
    purgeIntervalMs: values.ACTIVITY_PURGE_INTERVAL_MS,
    plans: planCatalogue(values),
  }
}

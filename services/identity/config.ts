import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { port } from '#libs/config/variables.js'
import { grpcServerVariables, refusePlainServer } from '#libs/grpc/grpc-variables.js'
import type { PoolOptions } from '#libs/postgres/pool.js'
import { databaseOptions, postgresVariables } from '#libs/postgres/postgres-variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'

/** What identity reads from its environment. */
export const variables = {
  ...processVariables,
  ...grpcServerVariables,
  GRPC_PORT: port('The port that the gRPC server listens on.', 50_052),
  ...postgresVariables('snipkeep_identity'),
}

/** Identity's configuration. */
export interface IdentityConfig {
  readonly logLevel: string
  readonly shutdownGraceMs: number
  readonly grpcHost: string
  readonly grpcPort: number
  readonly database: PoolOptions
}

/**
 * Reads identity's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment): IdentityConfig {
  const values = readVariables(variables, env, refusePlainServer)
  return {
    logLevel: values.LOG_LEVEL,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    grpcHost: values.GRPC_HOST,
    grpcPort: values.GRPC_PORT,
    database: databaseOptions(values, 'identity'),
  }
}

import { type Environment, readVariables } from '../config/read-variables.js'
import type { Values } from '../config/variables.js'
import { grpcAddress, grpcServerVariables } from '../grpc/grpc-variables.js'
import type { PoolOptions } from '../postgres/pool.js'
import { databaseOptions, postgresVariables } from '../postgres/postgres-variables.js'
import { peerConfig, peerVariables } from './peer-config.js'

/** The variables of a gRPC service with a schema; its schema and role are named after it. */
export function serviceVariables(name: string, grpcPort: number) {
  return {
    ...peerVariables,
    ...grpcServerVariables(grpcPort),
    ...postgresVariables(`snipkeep_${name}`),
  }
}

/** What these variables configure. */
export function serviceConfig(values: Values<ReturnType<typeof serviceVariables>>, name: string) {
  return { ...peerConfig(values), grpc: grpcAddress(values), database: databaseOptions(values, name) }
}

/** The configuration of all such services. */
export type ServiceConfig = Readonly<ReturnType<typeof serviceConfig>>

/**
 * The configuration of a service's `migrate` command: only the database, so that it needs neither certificates nor
 * other secrets.
 * @throws ConfigError that names every problem at once.
 */
export function readDatabaseConfig(name: string, env: Environment): PoolOptions {
  return databaseOptions(readVariables(postgresVariables(`snipkeep_${name}`), env), name)
}

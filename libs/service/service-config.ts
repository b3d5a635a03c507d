import { type Environment, readVariables } from '../config/read-variables.js'
import type { Values } from '../config/variables.js'
import { type GrpcAddress, grpcAddress, grpcServerVariables } from '../grpc/grpc-variables.js'
import type { PoolOptions } from '../postgres/pool.js'
import { databaseOptions, postgresVariables } from '../postgres/postgres-variables.js'
import { type PeerConfig, peerConfig, peerVariables } from './peer-config.js'

/** What a service reads that offers gRPC and keeps a schema; its schema and role are named after it. */
export function serviceVariables(name: string, grpcPort: number) {
  return {
    ...peerVariables,
    ...grpcServerVariables(grpcPort),
    ...postgresVariables(`snipkeep_${name}`),
  }
}

/** The part of a configuration that all such services have. */
export interface ServiceConfig extends PeerConfig {
  readonly grpc: GrpcAddress
  readonly database: PoolOptions
}

/** That part, as these variables describe it. */
export function serviceConfig(
  values: Values<ReturnType<typeof serviceVariables>>,
  name: string,
): ServiceConfig {
  return { ...peerConfig(values), grpc: grpcAddress(values), database: databaseOptions(values, name) }
}

/**
 * What the `migrate` command of a service reads: the database alone, so that it needs neither certificates nor secrets of
 * anything else.
 * @throws ConfigError that names every problem at once.
 */
export function readDatabaseConfig(name: string, env: Environment): PoolOptions {
  return databaseOptions(readVariables(postgresVariables(`snipkeep_${name}`), env), name)
}

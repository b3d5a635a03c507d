import { type Environment, readVariables } from '#libs/config/read-variables.js'
import {
  type GrpcAddress,
  grpcAddress,
  grpcServerVariables,
  transportProblems,
} from '#libs/grpc/grpc-variables.js'
import { type PeerConfig, peerConfig, peerVariables } from '#libs/service/peer-config.js'
import { productionProblems } from '#shared/config/production-rules.js'

/** The variables of the process that runs tools and comparisons. */
export const variables = { ...peerVariables, ...grpcServerVariables(50_055) }

export interface ToolsConfig extends PeerConfig {
  readonly grpc: GrpcAddress
}

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment): ToolsConfig {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...transportProblems(parsed, { GRPC_HOST: parsed.GRPC_HOST }),
  ])
  return { ...peerConfig(values), grpc: grpcAddress(values) }
}

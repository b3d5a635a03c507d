import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { grpcAddress, grpcServerVariables, transportProblems } from '#libs/grpc/grpc-variables.js'
import { peerConfig, peerVariables } from '#libs/service/peer-config.js'
import { productionProblems } from '#shared/config/production-rules.js'

/** The variables of the process that runs tools and comparisons. */
export const variables = { ...peerVariables, ...grpcServerVariables(50_055) }

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...transportProblems(parsed, { GRPC_HOST: parsed.GRPC_HOST }),
  ])
  return { ...peerConfig(values), grpc: grpcAddress(values) }
}

export type ToolsConfig = Readonly<ReturnType<typeof readConfig>>

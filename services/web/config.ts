import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { port, text } from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { type PeerConfig, peerConfig, peerVariables } from '#libs/service/peer-config.js'

/** What the web application reads from its environment. */
export const variables = {
  ...peerVariables,
  WEB_HOST: text('The address that the web application listens on.', '127.0.0.1'),
  WEB_PORT: port('The port that the web application listens on.', 8090),
  CONTENT_GRPC_TARGET: text('Where content offers gRPC.', '127.0.0.1:50051'),
}

/** The web application's configuration. */
export interface WebConfig extends PeerConfig {
  readonly host: string
  readonly port: number
  readonly contentTarget: string
}

/**
 * Reads the web application's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment): WebConfig {
  const values = readVariables(variables, env, (parsed) =>
    transportProblems(parsed, { CONTENT_GRPC_TARGET: parsed.CONTENT_GRPC_TARGET }),
  )
  return {
    ...peerConfig(values),
    host: values.WEB_HOST,
    port: values.WEB_PORT,
    contentTarget: values.CONTENT_GRPC_TARGET,
  }
}

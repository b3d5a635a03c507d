import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { flag, port, text } from '#libs/config/variables.js'
import { refusePlainTargets } from '#libs/grpc/grpc-variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from '#libs/telemetry/telemetry-variables.js'

/** What the web application reads from its environment. */
export const variables = {
  ...processVariables,
  ...telemetryVariables,
  WEB_HOST: text('The address that the web application listens on.', '127.0.0.1'),
  WEB_PORT: port('The port that the web application listens on.', 8090),
  CONTENT_GRPC_TARGET: text('Where content offers gRPC.', '127.0.0.1:50051'),
  GRPC_INSECURE: flag(
    'Allows gRPC without TLS beyond loopback, for networks that are trusted as a whole.',
    false,
  ),
}

/** The web application's configuration. */
export interface WebConfig {
  readonly logLevel: string
  readonly telemetry: TelemetryConfig
  readonly shutdownGraceMs: number
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
    refusePlainTargets(parsed.GRPC_INSECURE, { CONTENT_GRPC_TARGET: parsed.CONTENT_GRPC_TARGET }),
  )
  return {
    logLevel: values.LOG_LEVEL,
    telemetry: telemetryConfig(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    host: values.WEB_HOST,
    port: values.WEB_PORT,
    contentTarget: values.CONTENT_GRPC_TARGET,
  }
}

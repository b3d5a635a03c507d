import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { port, text } from '#libs/config/variables.js'
import type { CertificateFiles } from '#libs/grpc/certificate-files.js'
import { certificateFiles, grpcTransportVariables, transportProblems } from '#libs/grpc/grpc-variables.js'
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
  ...grpcTransportVariables,
}

/** The web application's configuration. */
export interface WebConfig {
  readonly logLevel: string
  readonly shutdownDelayMs: number
  readonly telemetry: TelemetryConfig
  readonly shutdownGraceMs: number
  /** `null` for plain text. */
  readonly certificates: CertificateFiles | null
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
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    telemetry: telemetryConfig(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    certificates: certificateFiles(values),
    host: values.WEB_HOST,
    port: values.WEB_PORT,
    contentTarget: values.CONTENT_GRPC_TARGET,
  }
}

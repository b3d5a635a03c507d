import type { Values } from '../config/variables.js'
import type { CertificateFiles } from '../grpc/certificate-files.js'
import { certificateFiles, grpcTransportVariables } from '../grpc/grpc-variables.js'
import { processVariables } from '../runtime/process-variables.js'
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from '../telemetry/telemetry-variables.js'

/** The variables of every process that talks to others of the system: runtime, telemetry and mutual TLS. */
export const peerVariables = { ...processVariables, ...telemetryVariables, ...grpcTransportVariables }

/** The configuration of all such processes. */
export interface PeerConfig {
  /** Whether this is production. */
  readonly production: boolean
  readonly logLevel: string
  readonly shutdownDelayMs: number
  readonly shutdownGraceMs: number
  readonly telemetry: TelemetryConfig
  /** `null` for plain text. */
  readonly certificates: CertificateFiles | null
  /** Whether plain text beyond this machine was explicitly allowed. */
  readonly plainTextAllowed: boolean
}

/** That configuration from these variables. */
export function peerConfig(values: Values<typeof peerVariables>): PeerConfig {
  return {
    production: values.NODE_ENV === 'production',
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    telemetry: telemetryConfig(values),
    certificates: certificateFiles(values),
    plainTextAllowed: values.GRPC_INSECURE,
  }
}

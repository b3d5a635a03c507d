import type { Values } from '../config/variables.js'
import type { CertificateFiles } from '../grpc/certificate-files.js'
import { certificateFiles, grpcTransportVariables } from '../grpc/grpc-variables.js'
import { processVariables } from '../runtime/process-variables.js'
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from '../telemetry/telemetry-variables.js'

/** What every process reads that talks to others of the system: how it runs, what it tells, how it is sure of them. */
export const peerVariables = { ...processVariables, ...telemetryVariables, ...grpcTransportVariables }

/** The part of a configuration that all such processes have. */
export interface PeerConfig {
  /** Whether it is in earnest. */
  readonly production: boolean
  readonly logLevel: string
  readonly shutdownDelayMs: number
  readonly shutdownGraceMs: number
  readonly telemetry: TelemetryConfig
  /** `null` for plain text. */
  readonly certificates: CertificateFiles | null
  /** Whether plain text beyond this machine was allowed on purpose. */
  readonly plainTextAllowed: boolean
}

/** That part, as these variables describe it. */
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

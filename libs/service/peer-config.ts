import type { Values } from '../config/variables.js'
import { certificateFiles, grpcTransportVariables } from '../grpc/grpc-variables.js'
import { processVariables } from '../runtime/process-variables.js'
import { telemetryConfig, telemetryVariables } from '../telemetry/telemetry-variables.js'

/** The variables of every process that talks to others of the system: runtime, telemetry and mutual TLS. */
export const peerVariables = { ...processVariables, ...telemetryVariables, ...grpcTransportVariables }

/** What these variables configure. */
export function peerConfig(values: Values<typeof peerVariables>) {
  return {
    /** Whether this is production. */
    production: values.NODE_ENV === 'production',
    logLevel: values.LOG_LEVEL,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    telemetry: telemetryConfig(values),
    /** `null` for plain text. */
    certificates: certificateFiles(values),
    /** Whether plain text beyond this machine was explicitly allowed. */
    plainTextAllowed: values.GRPC_INSECURE,
  }
}

/** The configuration of all such processes. */
export type PeerConfig = Readonly<ReturnType<typeof peerConfig>>

import { type ChannelCredentials, credentials, experimental, ServerCredentials } from '@grpc/grpc-js'
import { ConfigError } from '../config/read-variables.js'
import { messageOf } from '../core/message-of.js'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { type CertificateFiles, followCertificateFiles } from './certificate-files.js'
import { peerIdentity } from './peer-identity.js'

/** How processes connect to and authenticate each other. */
export interface Transport {
  /** The server credentials of this process. */
  readonly serverCredentials: ServerCredentials
  /** Whether callers are authenticated; if not, anyone who reaches a port may call. */
  readonly isMutualTls: boolean
  /** The channel credentials for `process`; another process at its address is rejected. */
  channelCredentials(process: string): ChannelCredentials
  /** When our certificate expires; `null` without one. */
  expiresAt(): Date | null
  close(): void
}

/** Without encryption, for loopback and fully trusted networks. */
export const plainTransport: Transport = {
  serverCredentials: ServerCredentials.createInsecure(),
  isMutualTls: false,
  channelCredentials: () => credentials.createInsecure(),
  expiresAt: () => null,
  close: () => {},
}

/**
 * Mutual TLS: both ends present a certificate of an authority in `caFile`, whose SPIFFE id names the process. Host
 * names and addresses do not matter, so replicas share a certificate. Replaced files are reloaded.
 * @throws ConfigError if the files are unusable.
 */
function mutualTls(files: CertificateFiles, log: Logger, checkIntervalMs?: number): Transport {
  let source: ReturnType<typeof followCertificateFiles>
  try {
    source = followCertificateFiles(files, log, checkIntervalMs)
  } catch (error) {
    throw new ConfigError([
      `GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must be PEM files, and the key must match the certificate: ${messageOf(error)}.`,
    ])
  }
  const { provider } = source
  const stopReading = metrics.certificateExpiry.observe(() => [[[], source.expiresAt().getTime() / 1_000]])
  return {
    serverCredentials: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    isMutualTls: true,
    channelCredentials: (process) =>
      experimental.createCertificateProviderChannelCredentials(provider, provider, {
        checkServerIdentity: (_host, certificate) =>
          peerIdentity(certificate) === process
            ? undefined
            : new Error(`the certificate there is not that of ${process}`),
      }),
    expiresAt: source.expiresAt,
    close() {
      stopReading()
      source.close()
    },
  }
}

/**
 * The transport between processes: mutual TLS if files are configured.
 * @throws ConfigError if they are unusable.
 */
export function openTransport(
  files: CertificateFiles | null,
  log: Logger,
  checkIntervalMs?: number,
): Transport {
  return files === null ? plainTransport : mutualTls(files, log, checkIntervalMs)
}

import { openTransport, type Transport } from '../grpc/transport.js'
import type { Logger } from '../log/logger.js'
import type { PeerConfig } from './peer-config.js'

/**
 * The transport between processes. In production, explicitly allowed plain text causes a warning at each start,
 * because nothing else would show it.
 * @throws ConfigError if the certificates are unusable.
 */
export function openPeerTransport(
  { certificates, production, plainTextAllowed }: PeerConfig,
  log: Logger,
): Transport {
  if (production && plainTextAllowed && certificates === null)
    log.warn(
      { event: 'grpc_insecure' },
      'GRPC_INSECURE is true in production: anyone who reaches a gRPC port can read and change everything. Set GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE instead.',
    )
  return openTransport(certificates, log)
}

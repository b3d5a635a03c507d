import { openTransport, type Transport } from '../grpc/transport.js'
import type { Logger } from '../log/logger.js'
import type { PeerConfig } from './peer-config.js'

/**
 * The transport to and from the other processes. In production plain text that was allowed on purpose is warned of at
 * each start, because nothing else would ever show it.
 * @throws ConfigError when the certificates cannot be used.
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

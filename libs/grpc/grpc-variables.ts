import { flag, optional, port, text, type Values } from '../config/variables.js'
import type { CertificateFiles } from './certificate-files.js'

/** How a process is sure of those whom it calls, and they of it. */
export const grpcTransportVariables = {
  GRPC_TLS_CA_FILE: optional(
    text(
      'The file with the authorities, in PEM, that vouch for the other processes; with it gRPC is mutual TLS.',
    ),
  ),
  GRPC_TLS_CERT_FILE: optional(
    text(
      'The file with the certificate of this process, in PEM, which names it as `spiffe://snipkeep/` and its name. Read again when it changes.',
    ),
  ),
  GRPC_TLS_KEY_FILE: optional(text('The file with the key to that certificate, in PEM.')),
  GRPC_INSECURE: flag(
    'Allows gRPC without TLS beyond loopback, for networks that are trusted as a whole.',
    false,
  ),
}

type TransportValues = Values<typeof grpcTransportVariables>

/** Where a process offers its gRPC services; `grpcPort` is the default of `GRPC_PORT`. */
export function grpcServerVariables(grpcPort: number) {
  return {
    GRPC_HOST: text(
      'The address that the gRPC server listens on; `unix:` and a path for a socket of the file system, which has no port.',
      '127.0.0.1',
    ),
    GRPC_PORT: port('The port that the gRPC server listens on.', grpcPort),
    GRPC_HEALTH_PORT: optional(
      port('A port in plain text that offers `grpc.health.v1` alone, for probes that have no certificate.'),
    ),
    ...grpcTransportVariables,
  }
}

/** Where a server listens. */
export interface GrpcAddress {
  readonly host: string
  readonly port: number
  /** `null` for none. */
  readonly healthPort: number | null
}

/** The address that these variables describe. */
export function grpcAddress(values: Values<ReturnType<typeof grpcServerVariables>>): GrpcAddress {
  return { host: values.GRPC_HOST, port: values.GRPC_PORT, healthPort: values.GRPC_HEALTH_PORT }
}

/** The certificates that these variables name; `null` for plain text. */
export function certificateFiles(values: TransportValues): CertificateFiles | null {
  const { GRPC_TLS_CA_FILE: caFile, GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile } = values
  return caFile === null || certFile === null || keyFile === null ? null : { caFile, certFile, keyFile }
}

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(:\d+)?$/

/** The path of an address that is a socket of the file system, `unix:` and its path; `null` for any other. */
export function socketPath(address: string): string | null {
  return address.startsWith('unix:') ? address.slice('unix:'.length) : null
}

/** Whether a host, with or without a port, is this machine alone. */
export function isLoopback(host: string): boolean {
  return loopback.test(host) || socketPath(host) !== null
}

function incompleteTls(values: TransportValues): readonly string[] {
  const names = ['GRPC_TLS_CA_FILE', 'GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE'] as const
  const missing = names.filter((name) => values[name] === null)
  return missing.length === 0 || missing.length === names.length
    ? []
    : [`${missing.join(' and ')} must be set as well: mutual TLS needs all of ${names.join(', ')}.`]
}

function refusePlain(
  values: TransportValues,
  addresses: Readonly<Record<string, string>>,
): readonly string[] {
  if (values.GRPC_INSECURE || certificateFiles(values) !== null) return []
  return Object.entries(addresses)
    .filter(([, address]) => !isLoopback(address.replace(/^dns:(\/\/\/)?/, '')))
    .map(
      ([name]) =>
        `${name} must be a loopback address unless GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are set or GRPC_INSECURE is true: gRPC would travel in plain text.`,
    )
}

/**
 * The sentences that refuse half of a configuration for TLS, and plain text beyond loopback.
 * @param addresses that a process listens on or calls, by the names of their variables.
 */
export function transportProblems(
  values: TransportValues,
  addresses: Readonly<Record<string, string>>,
): readonly string[] {
  const incomplete = incompleteTls(values)
  return incomplete.length > 0 ? incomplete : refusePlain(values, addresses)
}

import { flag, optional, port, text, type Values } from '../config/variables.js'
import type { CertificateFiles } from './certificate-files.js'

/** The variables for mutual TLS between processes. */
export const grpcTransportVariables = {
  GRPC_TLS_CA_FILE: optional(
    text(
      'A PEM file with the certificate authorities of the other processes. Setting it turns on mutual TLS for gRPC.',
    ),
  ),
  GRPC_TLS_CERT_FILE: optional(
    text(
      'A PEM file with the certificate of this process, for the name `spiffe://snipkeep/` plus the process. Reloaded when it changes.',
    ),
  ),
  GRPC_TLS_KEY_FILE: optional(text('A PEM file with the key of that certificate.')),
  GRPC_INSECURE: flag('Allows gRPC without TLS beyond loopback, for networks you fully trust.', false),
}

type TransportValues = Values<typeof grpcTransportVariables>

/** The variables of a gRPC server; `grpcPort` is the default of `GRPC_PORT`. */
export function grpcServerVariables(grpcPort: number) {
  return {
    GRPC_HOST: text(
      'The address of the gRPC server; or `unix:` and a path for a Unix domain socket, which has no port.',
      '127.0.0.1',
    ),
    GRPC_PORT: port('The port of the gRPC server.', grpcPort),
    GRPC_HEALTH_PORT: optional(
      port('A plain-text port that serves only `grpc.health.v1`, for probes without a certificate.'),
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

/** The listening address in these variables. */
export function grpcAddress(values: Values<ReturnType<typeof grpcServerVariables>>): GrpcAddress {
  return { host: values.GRPC_HOST, port: values.GRPC_PORT, healthPort: values.GRPC_HEALTH_PORT }
}

/** The certificates in these variables; `null` for plain text. */
export function certificateFiles(values: TransportValues): CertificateFiles | null {
  const { GRPC_TLS_CA_FILE: caFile, GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile } = values
  return caFile === null || certFile === null || keyFile === null ? null : { caFile, certFile, keyFile }
}

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(:\d+)?$/

/** The path of a Unix domain socket address (`unix:` and its path); `null` for any other. */
export function socketPath(address: string): string | null {
  return address.startsWith('unix:') ? address.slice('unix:'.length) : null
}

/** Whether a host, with or without a port, is loopback. */
export function isLoopback(host: string): boolean {
  return loopback.test(host) || socketPath(host) !== null
}

function incompleteTls(values: TransportValues): readonly string[] {
  const names = ['GRPC_TLS_CA_FILE', 'GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE'] as const
  const missing = names.filter((name) => values[name] === null)
  return missing.length === 0 || missing.length === names.length
    ? []
    : [`${missing.join(' and ')} must be set: mutual TLS needs all of ${names.join(', ')}.`]
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
        `${name} must be a loopback address unless GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are set or GRPC_INSECURE is true: gRPC would be in plain text.`,
    )
}

/**
 * The problems of a partial TLS configuration, and of plain text beyond loopback.
 * @param addresses that a process listens on or calls, by the names of their variables.
 */
export function transportProblems(
  values: TransportValues,
  addresses: Readonly<Record<string, string>>,
): readonly string[] {
  const incomplete = incompleteTls(values)
  return incomplete.length > 0 ? incomplete : refusePlain(values, addresses)
}

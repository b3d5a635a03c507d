import { flag, port, text, type Values } from '../config/variables.js'

/** Where a process offers its gRPC services. */
export const grpcServerVariables = {
  GRPC_HOST: text('The address that the gRPC server listens on.', '127.0.0.1'),
  GRPC_PORT: port('The port that the gRPC server listens on.', 50_051),
  GRPC_INSECURE: flag(
    'Allows gRPC without TLS beyond loopback, for networks that are trusted as a whole.',
    false,
  ),
}

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(:\d+)?$/

/** Whether a host, with or without a port, is this machine alone. */
export function isLoopback(host: string): boolean {
  return loopback.test(host)
}

/** The sentence that refuses to listen in plain text beyond loopback, if it must be said. */
export function refusePlainServer(values: Values<typeof grpcServerVariables>): readonly string[] {
  if (values.GRPC_INSECURE || isLoopback(values.GRPC_HOST)) return []
  return [
    'GRPC_HOST must be a loopback address unless GRPC_INSECURE is true: gRPC would travel in plain text.',
  ]
}

/** The same for targets that a process calls, by variable name. */
export function refusePlainTargets(
  insecure: boolean,
  targets: Readonly<Record<string, string>>,
): readonly string[] {
  if (insecure) return []
  return Object.entries(targets)
    .filter(([, target]) => !isLoopback(target.replace(/^dns:(\/\/\/)?/, '')))
    .map(
      ([name]) =>
        `${name} must be a loopback address unless GRPC_INSECURE is true: gRPC would travel in plain text.`,
    )
}

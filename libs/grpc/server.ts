import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import type { Logger } from '../log/logger.js'
import { clearStaleSocket } from '../runtime/stale-socket.js'
import { type AllowedCallers, onlyFor } from './allowed-callers.js'
import { socketPath } from './grpc-variables.js'
import { addReflection } from './reflection.js'
import type { Transport } from './transport.js'

/** A service with its handlers. */
export interface BoundService {
  readonly definition: ServiceDefinition
  readonly handlers: UntypedServiceImplementation
  /** Who may call which method, where callers prove who they are. */
  readonly callers: AllowedCallers
}

/** Where a server listens, and to whom. */
export interface ServerOptions {
  /** `unix:` and a path is a socket of the file system, which has no port. */
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** A port of its own in plain text that offers `grpc.health.v1` alone, for probes; `null` for none. */
  readonly healthPort: number | null
  readonly transport: Transport
  readonly log: Logger
  /**
   * What the files of the protocol say, each as a `google.protobuf.FileDescriptorProto`: told to whoever asks by
   * reflection, where callers need not prove who they are. Without it nobody is told.
   */
  readonly protocol?: readonly Uint8Array[] | null
  /** Milliseconds after which a connection is renewed; a minute unless given. */
  readonly connectionAgeMs?: number
  /** Whether it reports SERVING from its start, as it does unless told otherwise, or not before `ready()`. */
  readonly readyAtOnce?: boolean
}

/** What health is asked for by name of the process itself, which lives while whatever it needs is away. */
export const livenessService = 'liveness'

/** A gRPC server that listens. */
export interface RunningServer {
  /** The port it listens on, also when 0 was asked for; of no meaning for a socket of the file system. */
  readonly port: number
  /** Reports SERVING from now on, unless it has been told that it is not ready or stops. */
  ready(): void
  /** Reports NOT_SERVING from now on, and goes on serving. */
  unready(): void
  /** Reports NOT_SERVING, lets calls in flight end, and closes. */
  stop(): Promise<void>
}

const megabyte = 1024 * 1024

async function bind(
  server: Server,
  host: string,
  port: number,
  credentials: ServerCredentials,
): Promise<number> {
  const path = socketPath(host)
  if (path !== null) await clearStaleSocket(path)
  const address = path === null ? `${host}:${port}` : host
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error === null) resolve(bound)
      else reject(error)
    })
  })
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve, reject) => server.tryShutdown((error) => (error ? reject(error) : resolve())))
}

/** The health of a process: without a name whether it is ready, by `livenessService` whether it lives. */
function createHealth(readyAtOnce: boolean): HealthImplementation & Pick<RunningServer, 'ready' | 'unready'> {
  const health = new HealthImplementation({
    '': readyAtOnce ? 'SERVING' : 'NOT_SERVING',
    [livenessService]: 'SERVING',
  })
  let ended = false
  return Object.assign(health, {
    ready(): void {
      if (!ended) health.setStatus('', 'SERVING')
    },
    unready(): void {
      ended = true
      health.setStatus('', 'NOT_SERVING')
    },
  })
}

/**
 * Listens with these services and `grpc.health.v1`. Connections are renewed so that callers find new replicas; no
 * message above 1 MiB is taken.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot listen.
 */
export async function startGrpcServer(
  options: ServerOptions,
  services: readonly BoundService[],
): Promise<RunningServer> {
  const { host, port, healthPort, transport, log } = options
  const { protocol = null, connectionAgeMs = 60_000, readyAtOnce = true } = options
  const server = new Server({
    'grpc.max_receive_message_length': megabyte,
    'grpc.max_concurrent_streams': 256,
    'grpc.max_connection_age_ms': connectionAgeMs,
    'grpc.max_connection_age_grace_ms': 900_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc-node.max_session_memory': 64,
  })
  const health = createHealth(readyAtOnce)
  health.addToServer(server)
  for (const { definition, handlers, callers } of services) {
    server.addService(definition, transport.isMutualTls ? onlyFor(callers, handlers, log) : handlers)
  }
  if (protocol !== null && !transport.isMutualTls) await addReflection(server, protocol, services)
  const probes = new Server({ 'grpc.max_receive_message_length': 1_024 })
  if (healthPort !== null) {
    health.addToServer(probes)
    const probed = socketPath(host) === null ? host : '127.0.0.1'
    await bind(probes, probed, healthPort, ServerCredentials.createInsecure())
  }
  const boundPort = await bind(server, host, port, transport.serverCredentials)
  const { ready, unready } = health
  return {
    port: boundPort,
    ready,
    unready,
    async stop() {
      unready()
      await shutDown(server)
      probes.forceShutdown()
    },
  }
}

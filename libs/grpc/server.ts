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
import { batchService } from './batch/batch-service.js'
import { socketPath } from './grpc-variables.js'
import type { Transport } from './transport.js'

/** The name of a service, from the paths of its methods: `/name/method`. */
function nameOf(definition: ServiceDefinition): string {
  return Object.values(definition)[0]?.path.split('/')[1] ?? ''
}

/**
 * Lets clients such as grpcurl discover the services without our files (gRPC Server Reflection, v1 and v1alpha).
 * Loaded only if enabled.
 * @param protocol the files of the services and all that they import.
 */
async function addReflection(
  server: Server,
  protocol: readonly Uint8Array[],
  services: readonly { readonly definition: ServiceDefinition }[],
): Promise<void> {
  const { ReflectionService } = await import('@grpc/reflection')
  const fileDescriptorProtos = protocol.map((bytes) => Buffer.from(bytes))
  const message = { format: 'Protocol Buffer 3 DescriptorProto' as const, type: {}, fileDescriptorProtos }
  const names = services.map(({ definition }) => nameOf(definition))
  new ReflectionService({ protocol: message }, { services: names }).addToServer(server)
}

/** A service with its handlers. */
export interface BoundService {
  readonly definition: ServiceDefinition
  readonly handlers: UntypedServiceImplementation
  /** The allowed callers of each method, if callers are authenticated. */
  readonly callers: AllowedCallers
}

/** The address of a server, and its transport. */
export interface ServerOptions {
  /** `unix:` and a path is a socket of the file system, which has no port. */
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** A separate plain-text port that serves only `grpc.health.v1`, for probes; `null` for none. */
  readonly healthPort: number | null
  readonly transport: Transport
  readonly log: Logger
  /**
   * The files of the protocol, each as a `google.protobuf.FileDescriptorProto`, for reflection, if callers are not
   * authenticated. Without it there is no reflection.
   */
  readonly protocol?: readonly Uint8Array[] | null
  /** The maximum age of a connection in milliseconds; a minute by default. */
  readonly connectionAgeMs?: number
  /** Whether it reports SERVING from the start, the default, or only after `ready()`. */
  readonly readyAtOnce?: boolean
}

/** The health service name of the process itself, which is live even if its dependencies are down. */
export const livenessService = 'liveness'

/** A listening gRPC server. */
export interface RunningServer {
  /** The actual port, also for port 0; meaningless for a Unix domain socket. */
  readonly port: number
  /** Reports SERVING from now on, unless the server is not ready or stopping. */
  ready(): void
  /** Reports NOT_SERVING from now on, and continues to serve. */
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

/** The health of a process: readiness without a name, liveness by `livenessService`. */
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
 * Listens with these services and `grpc.health.v1`. Connections are renewed so that callers find new replicas;
 * messages above 1 MiB are rejected. There are no keepalive pings: the next one on a renewed connection would end the
 * streams that are still under way (grpc-node#3068), and renewal ends the connections of lost callers.
 * @throws Error such as `code: 'EADDRINUSE'` if it cannot listen.
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
    'grpc-node.max_session_memory': 64,
  })
  const health = createHealth(readyAtOnce)
  health.addToServer(server)
  const served = services.map(({ definition, handlers, callers }) => ({
    definition,
    handlers: transport.isMutualTls ? onlyFor(callers, handlers, log) : handlers,
  }))
  const batches = batchService(served)
  for (const { definition, handlers } of served) server.addService(definition, handlers)
  server.addService(batches.definition, batches.handlers)
  if (protocol !== null && !transport.isMutualTls)
    await addReflection(server, protocol, [...services, batches])
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

import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'

/** A service with its handlers. */
export interface BoundService {
  readonly definition: ServiceDefinition
  readonly handlers: UntypedServiceImplementation
}

/** A gRPC server that listens. */
export interface RunningServer {
  /** The port it listens on, also when 0 was asked for. */
  readonly port: number
  /** Reports NOT_SERVING, lets calls in flight end, and closes. */
  stop(): Promise<void>
}

/**
 * Listens on `host:port` with these services and `grpc.health.v1`. Connections are renewed every minute so that
 * callers find new replicas; no message above 1 MiB is taken.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot listen.
 */
export async function startGrpcServer(
  host: string,
  port: number,
  services: readonly BoundService[],
): Promise<RunningServer> {
  const server = new Server({
    'grpc.max_receive_message_length': 1024 * 1024,
    'grpc.max_concurrent_streams': 256,
    'grpc.max_connection_age_ms': 60_000,
    'grpc.max_connection_age_grace_ms': 900_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc-node.max_session_memory': 64,
  })
  const health = new HealthImplementation({ '': 'SERVING' })
  health.addToServer(server)
  for (const { definition, handlers } of services) server.addService(definition, handlers)
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound)
      else reject(error)
    })
  })
  return {
    port: boundPort,
    stop: () => {
      health.setStatus('', 'NOT_SERVING')
      return new Promise((resolve, reject) =>
        server.tryShutdown((error) => (error ? reject(error) : resolve())),
      )
    },
  }
}

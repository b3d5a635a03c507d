import { type BoundService, type RunningServer, startGrpcServer } from '../grpc/server.js'
import { plainTransport } from '../grpc/transport.js'
import { createLogger } from '../log/logger.js'

/** A server on a free loopback port that anyone there may call; it logs nothing. */
export function startPlainServer(services: readonly BoundService[]): Promise<RunningServer> {
  const log = createLogger('test', 'silent')
  const options = { host: '127.0.0.1', port: 0, healthPort: null, transport: plainTransport, log }
  return startGrpcServer(options, services)
}

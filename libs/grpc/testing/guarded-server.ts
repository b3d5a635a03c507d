import { readFileSync } from 'node:fs'
import {
  type ChannelCredentials,
  Client,
  credentials,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { createLogger } from '../../log/logger.js'
import type { CertificateFiles } from '../certificate-files.js'
import { startGrpcServer } from '../server.js'
import { openTransport } from '../transport.js'
import { bytesMethod } from './bytes-method.js'

const log = createLogger('test', 'silent')
/** The only method of a guarded server. */
export const guardedPath = '/test.Guarded/Call'
const handlers = {
  call: (_call: unknown, callback: (error: null, response: Buffer) => void) =>
    callback(null, Buffer.from('hello')),
} as unknown as UntypedServiceImplementation

/** A gRPC server on loopback with one method, which some processes may call. */
export interface GuardedServer {
  readonly port: number
  stop(): Promise<void>
}

/** Serves with these certificates, as the system's processes do. */
export async function startGuardedServer(
  files: CertificateFiles,
  callers: readonly string[],
): Promise<GuardedServer> {
  const transport = openTransport(files, log)
  const definition = { call: bytesMethod(guardedPath) }
  const options = { host: '127.0.0.1', port: 0, healthPort: null, transport, log }
  const server = await startGrpcServer(options, [{ definition, handlers, callers: { call: callers } }])
  return {
    port: server.port,
    async stop() {
      await server.stop()
      transport.close()
    },
  }
}

const same = (bytes: Buffer): Buffer => bytes

/** The name of the status that a call of that method ends with. */
async function outcome(port: number, channel: ChannelCredentials): Promise<string> {
  const client = new Client(`127.0.0.1:${port}`, channel)
  const deadline = Date.now() + 10_000
  try {
    return await new Promise((resolve) =>
      client.makeUnaryRequest(
        guardedPath,
        same,
        same,
        Buffer.of(1),
        { deadline },
        (error: ServiceError | null) =>
          resolve(error === null ? 'OK' : (status[error.code] ?? String(error.code))),
      ),
    )
  } finally {
    client.close()
  }
}

/** The outcome of a call with these certificates that expects `process` at the other end. */
export async function callGuarded(files: CertificateFiles, process: string, port: number): Promise<string> {
  const transport = openTransport(files, log)
  try {
    return await outcome(port, transport.channelCredentials(process))
  } finally {
    transport.close()
  }
}

/** The outcomes of calls without a certificate: over TLS, and in plain text. */
export async function callUnproven(caFile: string, port: number): Promise<readonly string[]> {
  const checkServerIdentity = () => undefined
  const anonymous = credentials.createSsl(readFileSync(caFile), null, null, { checkServerIdentity })
  return [await outcome(port, anonymous), await outcome(port, credentials.createInsecure())]
}

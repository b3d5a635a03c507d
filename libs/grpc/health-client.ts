import { type ChannelCredentials, Client, type ClientOptions } from '@grpc/grpc-js'

/** Checks the health of a process by `grpc.health.v1`. */
export interface HealthClient {
  /** True if it returns SERVING within `timeoutMs`, for this service or as a whole; never throws. */
  isServing(timeoutMs: number, service?: string): Promise<boolean>
  close(): void
}

/** HealthCheckResponse { status = 1: SERVING }. */
const serving = Buffer.from([0x08, 0x01])

/** HealthCheckRequest { service = 1 }, for names of less than 128 bytes. */
function requestFor(service: string): Buffer {
  const name = Buffer.from(service)
  return name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name])
}

/** A health client for the process at `target`. */
export function healthClient(
  target: string,
  credentials: ChannelCredentials,
  options: ClientOptions = {},
): HealthClient {
  const client = new Client(target, credentials, options)
  return {
    isServing: (timeoutMs, service = '') =>
      new Promise((resolve) => {
        client.makeUnaryRequest<Buffer, Buffer>(
          '/grpc.health.v1.Health/Check',
          (request) => request,
          (response) => response,
          requestFor(service),
          { deadline: Date.now() + timeoutMs },
          (error, response) => resolve(error === null && response !== undefined && serving.equals(response)),
        )
      }),
    close: () => client.close(),
  }
}

import { type ChannelCredentials, Client, type ClientOptions } from '@grpc/grpc-js'

/** Asks a process whether it serves, by `grpc.health.v1`. */
export interface HealthClient {
  /** True when it answers SERVING within `timeoutMs`; never throws. */
  isServing(timeoutMs: number): Promise<boolean>
  close(): void
}

/** HealthCheckResponse { status = 1: SERVING }. */
const serving = Buffer.from([0x08, 0x01])

/** A health client for the process at `target`. */
export function healthClient(
  target: string,
  credentials: ChannelCredentials,
  options: ClientOptions = {},
): HealthClient {
  const client = new Client(target, credentials, options)
  return {
    isServing: (timeoutMs) =>
      new Promise((resolve) => {
        client.makeUnaryRequest<Buffer, Buffer>(
          '/grpc.health.v1.Health/Check',
          (request) => request,
          (response) => response,
          Buffer.alloc(0),
          { deadline: Date.now() + timeoutMs },
          (error, response) => resolve(error === null && response !== undefined && serving.equals(response)),
        )
      }),
    close: () => client.close(),
  }
}

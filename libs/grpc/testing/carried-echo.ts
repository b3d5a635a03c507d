import {
  credentials,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../../log/logger.js'
import { startPlainServer } from '../../testing/plain-grpc-server.js'
import { createCallCarrier } from '../batch/call-carrier.js'
import { type CallContext, callUnary, guardClient } from '../call.js'
import { clientOptions } from '../client-options.js'
import { grpcHandlers, type HandlerContext } from '../handler.js'
import { openClient } from '../open-client.js'
import type { RunningServer } from '../server.js'
import { bytesMethod } from './bytes-method.js'

const service = '/test.Echo/'
/** Its methods. */
export const definition = { say: bytesMethod(`${service}Say`), other: bytesMethod(`${service}Other`) }
const log = createLogger('test', 'silent')
/** Handlers that log nothing. */
export const { unary } = grpcHandlers(log)

type Work = (said: string, context: HandlerContext) => Promise<string>
type EchoClient = ReturnType<typeof openClient> & {
  readonly say: Parameters<typeof callUnary<Buffer, Buffer>>[1]
}

/** What is to be closed after a test. */
export const closing: (() => unknown)[] = []
/** Closes it. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
}

/** Serves `Say`, whose responses come from `work`. */
export async function serve(work: Work): Promise<RunningServer> {
  const say = unary<Buffer, Buffer>(async (said, context) =>
    Buffer.from(await work(said.toString(), context)),
  )
  const server = await startPlainServer([
    { definition: { say: definition.say }, handlers: { say }, callers: {} },
  ])
  closing.push(() => server.stop())
  return server
}

/** Serves just this, without what our servers have besides. */
export async function serveRaw(served: ServiceDefinition, handlers: UntypedServiceImplementation) {
  const server = new Server()
  server.addService(served, handlers)
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  const die = (): void => server.forceShutdown()
  closing.push(die)
  return { port, die }
}

/** The same as `serve`, and a client of it. */
export async function open(work: Work, { isRetryable = false, paths = [definition.say.path] } = {}) {
  const server = await serve(work)
  return { ...connect(`127.0.0.1:${server.port}`, { isRetryable, paths }), server }
}

/** Counts the calls that were made by themselves, and the streams. */
export function connect(target: string, { isRetryable = false, paths = [definition.say.path] } = {}) {
  const [creds, options] = [credentials.createInsecure(), clientOptions({})]
  const batchClient = new BatchServiceClient(target, creds, options)
  let [alone, streams] = [0, 0]
  const { carry } = batchClient
  Object.assign(batchClient, {
    carry: (...args: Parameters<typeof carry>) => {
      streams += 1
      return carry.apply(batchClient, args)
    },
  })
  const carrier = createCallCarrier(batchClient, new Set(paths), () => isRetryable)
  const counted = {
    ...carrier,
    make: (call: Parameters<typeof carrier.make>[0]) =>
      carrier.make({
        ...call,
        alone() {
          alone += 1
          return call.alone()
        },
      }),
  }
  const client = guardClient(openClient<EchoClient>(definition, { target, credentials: creds, options }), {
    carrier: counted,
  })
  closing.push(() => {
    carrier.close()
    client.close()
    batchClient.close()
  })
  const ask = async (said: string, context: Partial<CallContext> = {}): Promise<string> => {
    const whole = { requestId: `r-${said.slice(0, 9)}`, timeoutMs: 20_000, ...context }
    return (await callUnary(client, client.say, Buffer.from(said), whole)).toString()
  }
  return { ask, alone: () => alone, streams: () => streams, carrier, client, batchClient }
}

/** A promise to be resolved by the test. */
export function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

/** Why it was rejected. */
export const reasonOf = (result: PromiseSettledResult<unknown> | undefined): unknown =>
  result?.status === 'rejected' ? result.reason : result

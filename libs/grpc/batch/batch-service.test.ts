import { once } from 'node:events'
import { type ClientDuplexStream, credentials, Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  BatchServiceClient,
  type Call,
  type CallResult,
  type CarryRequest,
  type CarryResponse,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../../log/logger.js'
import { startPlainServer } from '../../testing/plain-grpc-server.js'
import { createTestAuthority, type TestAuthority } from '../../testing/test-certificates.js'
import { callServerStream } from '../call.js'
import { grpcHandlers } from '../handler.js'
import { bytesMethod } from '../testing/bytes-method.js'
import { type GuardedServer, guardedPath, startGuardedServer } from '../testing/guarded-server.js'
import { openTransport } from '../transport.js'

const log = createLogger('test', 'silent')
const { unary } = grpcHandlers(log)
let authority: TestAuthority
let guarded: GuardedServer

beforeAll(async () => {
  authority = createTestAuthority()
  guarded = await startGuardedServer(authority.issue('content'), ['gateway'])
})
afterAll(async () => {
  await guarded.stop()
  authority.remove()
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function callOf(method: string, id: number, more: Partial<Call> = {}): Call {
  return {
    ...{ method, id, request: Buffer.from('?'), requestId: 'r', timeoutMs: 20_000, traceparent: '' },
    ...more,
  }
}

type Stream = ClientDuplexStream<CarryRequest, CarryResponse>

/** The next results, so many. */
async function resultsOf(stream: Stream, count: number): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  while (results.length < count) {
    const [message] = (await once(stream, 'data')) as [CarryResponse]
    results.push(...message.results)
  }
  return results
}

/** The results of two calls on a stream from this process. */
async function resultsFor(process: string): Promise<unknown> {
  const transport = openTransport(authority.issue(process), log)
  const client = new BatchServiceClient(`127.0.0.1:${guarded.port}`, transport.channelCredentials('content'))
  try {
    const stream = client.carry()
    stream.write({ calls: [callOf(guardedPath, 1), callOf(guardedPath, 2)] })
    const results = await resultsOf(stream, 2)
    stream.end()
    return results.map(({ result }) => result)
  } finally {
    client.close()
    transport.close()
  }
}

it('a process may make the same calls on a stream as by themselves, and no others', async () => {
  const hello = { $case: 'response', value: Buffer.from('hello') }
  expect(await resultsFor('gateway')).toEqual([hello, hello])
  const denied = { $case: 'failure', value: { status: status.PERMISSION_DENIED, error: Buffer.alloc(0) } }
  expect(await resultsFor('billing')).toEqual([denied, denied])
})

/** Serves this handler at `/test.Echo/Say` and opens a client. */
async function open(say: unknown, more: Readonly<Record<string, ReturnType<typeof bytesMethod>>> = {}) {
  const definition = { say: bytesMethod(path), ...more }
  const handlers = Object.fromEntries(Object.keys(definition).map((name) => [name, say]))
  const server = await startPlainServer([{ definition, handlers: handlers as never, callers: {} }])
  const client = new BatchServiceClient(`127.0.0.1:${server.port}`, credentials.createInsecure())
  closing.push(
    () => server.stop(),
    () => client.close(),
  )
  return { server, client }
}

const path = '/test.Echo/Say'
const same = unary<Buffer, Buffer>(async (said) => said)
const failed = (code: status) => ({ $case: 'failure', value: { status: code } })

describe('a stream of calls', () => {
  it('responds to the others when it does not know, or cannot read or write, one of them', async () => {
    const broken = (): never => {
      throw new Error('broken')
    }
    const { client } = await open(same, {
      unread: { ...bytesMethod('/test.Echo/Unread'), requestDeserialize: broken },
      unwritten: { ...bytesMethod('/test.Echo/Unwritten'), responseSerialize: broken },
    })
    const stream = client.carry()
    const paths = ['/test.Echo/New', '/test.Echo/Unread', '/test.Echo/Unwritten', path]
    stream.write({ calls: paths.map((method, index) => callOf(method, index + 1)) })
    const results = [...(await resultsOf(stream, 4))].sort((one, other) => one.index - other.index)
    expect(results.map(({ result }) => result)).toMatchObject([
      failed(status.UNIMPLEMENTED),
      failed(status.INTERNAL),
      failed(status.INTERNAL),
      { $case: 'response', value: Buffer.from('?') },
    ])
    stream.end()
  })

  it('cancels a call at its deadline, though its caller says nothing', async () => {
    let told = (): void => {}
    const cancelled = new Promise<void>((resolve) => {
      told = resolve
    })
    const { client } = await open(
      unary<Buffer, Buffer>(
        (_said, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              told()
              reject(new Error('cancelled'))
            }),
          ),
      ),
    )
    const stream = client.carry()
    stream.resume()
    stream.write({ calls: [callOf(path, 1, { timeoutMs: 20 })] })
    await cancelled
    stream.end()
    await once(stream, 'end')
  })

  it('passes the trace on', async () => {
    const { client } = await open(
      (call: ServerUnaryCall<Buffer, Buffer>, callback: (error: null, said: Buffer) => void) =>
        callback(null, Buffer.from(String(call.metadata.get('traceparent')[0]))),
    )
    const stream = client.carry()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    stream.write({ calls: [callOf(path, 1, { traceparent })] })
    expect((await resultsOf(stream, 1))[0]?.result?.value).toEqual(Buffer.from(traceparent))
    stream.end()
  })

  it('reads no more while 256 calls have no result', async () => {
    let [running, runningMax] = [0, 0]
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client } = await open(
      unary<Buffer, Buffer>(async (said) => {
        running += 1
        runningMax = Math.max(runningMax, running)
        await held
        running -= 1
        return said
      }),
    )
    const stream = client.carry()
    const arrived = resultsOf(stream, 1_000)
    for (let id = 1; id <= 1_000; id += 1) stream.write({ calls: [callOf(path, id)] })
    await expect.poll(() => running).toBe(256)
    release()
    expect(new Set((await arrived).map(({ index }) => index)).size).toBe(1_000)
    expect(runningMax).toBe(256)
    stream.end()
  })

  it('says that its process shuts down, and then only ends its calls', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client, server } = await open(
      unary<Buffer, Buffer>(async (said) => {
        await held
        return said
      }),
    )
    const stream = client.carry()
    await new Promise<void>((resolve) => {
      client.waitForReady(Date.now() + 20_000, () => resolve())
    })
    stream.write({ calls: [callOf('/test.Echo/New', 1), callOf(path, 2)] })
    await resultsOf(stream, 1)
    const stopped = server.stop()
    expect(await resultsOf(stream, 1)).toEqual([{ index: 0, result: undefined }])
    release()
    expect(await resultsOf(stream, 1)).toMatchObject([{ index: 2, result: { $case: 'response' } }])
    stream.end()
    await stopped
  })

  it('ends the calls of a caller that has gone', async () => {
    let told = 0
    let running = 0
    const { client, server } = await open(
      unary<Buffer, Buffer>((_said, { signal }) => {
        running += 1
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            told += 1
            reject(new Error('cancelled'))
          }),
        )
      }),
    )
    const stream = client.carry(new Metadata())
    stream.on('error', () => {})
    stream.write({ calls: [callOf(path, 1), callOf(path, 2)] })
    await expect.poll(() => running).toBe(2)
    stream.cancel()
    await expect.poll(() => told).toBe(2)
    await server.stop()
    closing.shift()
  })
})

it('calls of a gateway of the previous release, all at once, each get their result', async () => {
  const large = Buffer.alloc(200_000, 'x')
  const { client } = await open(unary<Buffer, Buffer>(async (said) => (said.length > 1 ? large : said)))
  const calls = [
    callOf(path, 0),
    callOf(path, 0, { request: Buffer.from('large') }),
    callOf('/test.Echo/New', 0),
  ]
  const context = { requestId: 'r', timeoutMs: 20_000 }
  const results = new Map<number, CallResult['result']>()
  const message = { calls: calls.map((call) => ({ ...call, timeoutMs: 0 })) }
  for await (const { results: some } of callServerStream(client, client.makeCalls, message, context))
    for (const { index, result } of some) results.set(index, result)
  expect([0, 2].map((index) => results.get(index))).toMatchObject([
    { $case: 'response', value: Buffer.from('?') },
    failed(status.UNIMPLEMENTED),
  ])
  const answered = results.get(1)
  expect(answered?.$case === 'response' && large.equals(answered.value)).toBe(true)
})

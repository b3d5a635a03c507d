import { once } from 'node:events'
import { type ClientDuplexStream, credentials, Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  BatchServiceClient,
  BatchServiceService,
  type Call,
  type CallResult,
  type CarryRequest,
  type CarryResponse,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../../log/logger.js'
import { startPlainServer } from '../../testing/plain-grpc-server.js'
import { createTestAuthority, type TestAuthority } from '../../testing/test-certificates.js'
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

/** A server whose calls run until they are cancelled, and a stream with one that runs. */
async function openRunning() {
  const counts = { running: 0, cancelled: 0 }
  const { client } = await open(
    unary<Buffer, Buffer>((_said, { signal }) => {
      counts.running += 1
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          counts.cancelled += 1
          reject(new Error('cancelled'))
        }),
      )
    }),
  )
  const [write, read] = [(message: Buffer) => message, (message: Buffer) => message]
  /** A stream for any bytes. */
  const raw = () => client.makeBidiStreamRequest(BatchServiceService.carry.path, write, read)
  const stream = raw()
  const message = (...calls: Call[]) => BatchServiceService.carry.requestSerialize({ calls })
  stream.write(message(callOf(path, 1)))
  await expect.poll(() => counts).toEqual({ running: 1, cancelled: 0 })
  return { stream, raw, message, counts }
}

describe('a stream of a caller that breaks the rules', () => {
  const many = Array.from({ length: 257 }, (_, index) => callOf(path, index + 2))
  it.each([
    [
      'more calls than a message has',
      Buffer.from(BatchServiceService.carry.requestSerialize({ calls: many })),
      status.RESOURCE_EXHAUSTED,
    ],
    ['more bytes than a message has', Buffer.alloc(1_048_577), status.RESOURCE_EXHAUSTED],
    ['what is no message', Buffer.from([0x0a, 0xff]), status.INTERNAL],
  ])(
    'ends if it sends %s, its calls with it, and nothing of the message is run',
    async (_what, bytes, code) => {
      const { stream, raw, message, counts } = await openRunning()
      const ended = once(stream, 'data')
      stream.write(bytes)
      stream.write(message(callOf(path, 400)))
      await expect(ended).rejects.toMatchObject({ code })
      await expect.poll(() => counts).toEqual({ running: 1, cancelled: 1 })
      const other = raw()
      const answered = once(other, 'data')
      other.write(message(callOf('/test.Echo/New', 1)))
      const [results] = (await answered) as [Buffer]
      expect(BatchServiceService.carry.responseDeserialize(results).results).toMatchObject([
        { index: 1, result: failed(status.UNIMPLEMENTED) },
      ])
      expect(counts.running).toBe(1)
      other.end()
    },
  )

  it('cancels a call whose id is used again, and ignores ids that it does not know', async () => {
    const { stream, message, counts } = await openRunning()
    stream.on('error', () => {})
    stream.write(message(callOf('', 7), callOf('', -1), callOf(path, 1, { timeoutMs: -5 })))
    await expect.poll(() => counts).toEqual({ running: 2, cancelled: 1 })
    stream.cancel()
    await expect.poll(() => counts).toEqual({ running: 2, cancelled: 2 })
  })
})

it('a gateway of the previous release hears that its batches are unknown, and makes each call by itself', async () => {
  const { client } = await open(same)
  const path = '/snipkeep.batch.v1.BatchService/MakeCalls'
  const [write, read] = [(message: Buffer) => message, (message: Buffer) => message]
  const batch = client.makeServerStreamRequest(path, write, read, Buffer.alloc(0))
  await expect(once(batch, 'data')).rejects.toMatchObject({ code: status.UNIMPLEMENTED })
})

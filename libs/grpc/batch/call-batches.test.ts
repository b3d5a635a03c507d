import { createServer } from 'node:net'
import { credentials, Server, ServerCredentials, status } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { DomainError, unavailable } from '../../core/domain-error.js'
import { createLogger } from '../../log/logger.js'
import { startPlainServer } from '../../testing/plain-grpc-server.js'
import { type CallContext, callServerStream, callUnary, guardClient } from '../call.js'
import { clientOptions } from '../client-options.js'
import { grpcHandlers, type HandlerContext } from '../handler.js'
import { openClient } from '../open-client.js'
import { bytesMethod } from '../testing/bytes-method.js'
import { createCallBatches } from './call-batches.js'

const service = '/test.Echo/'
const definition = { say: bytesMethod(`${service}Say`), other: bytesMethod(`${service}Other`) }
const log = createLogger('test', 'silent')
const { unary } = grpcHandlers(log)

type Work = (said: string, context: HandlerContext) => Promise<string>
type EchoClient = ReturnType<typeof openClient> & {
  readonly say: Parameters<typeof callUnary<Buffer, Buffer>>[1]
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Serves `Say`, whose responses come from `work`; counts the calls that did not travel in a batch. */
async function open(work: Work, { isRetryable = false, paths = [definition.say.path] } = {}) {
  const say = unary<Buffer, Buffer>(async (said, context) =>
    Buffer.from(await work(said.toString(), context)),
  )
  const server = await startPlainServer([
    { definition: { say: definition.say }, handlers: { say }, callers: {} },
  ])
  closing.push(() => server.stop())
  return { ...connect(`127.0.0.1:${server.port}`, { isRetryable, paths }), server }
}

function connect(target: string, { isRetryable, paths }: { isRetryable: boolean; paths: readonly string[] }) {
  const [creds, options] = [credentials.createInsecure(), clientOptions({})]
  const batchClient = new BatchServiceClient(target, creds, options)
  const batches = createCallBatches(batchClient, new Set(paths), () => isRetryable)
  let alone = 0
  const counted = {
    ...batches,
    make: (call: Parameters<typeof batches.make>[0]) =>
      batches.make({
        ...call,
        alone(context) {
          alone += 1
          return call.alone(context)
        },
      }),
  }
  const client = guardClient(openClient<EchoClient>(definition, { target, credentials: creds, options }), {
    batches: counted,
  })
  closing.push(() => {
    client.close()
    batchClient.close()
  })
  const ask = async (said: string, context: Partial<CallContext> = {}): Promise<string> => {
    const whole = { requestId: `r-${said.slice(0, 9)}`, timeoutMs: 5_000, ...context }
    return (await callUnary(client, client.say, Buffer.from(said), whole)).toString()
  }
  return { ask, alone: () => alone, batchClient }
}

const reasonOf = (result: PromiseSettledResult<unknown> | undefined): unknown =>
  result?.status === 'rejected' ? result.reason : result

describe('calls of one moment', () => {
  it('each get their own response and request id, and a lone one is made by itself', async () => {
    const { ask, alone } = await open(async (said, { requestId }) => `${said} for ${requestId}`)
    expect(await Promise.all(['a', 'b', 'c'].map((said) => ask(said)))).toEqual([
      'a for r-a',
      'b for r-b',
      'c for r-c',
    ])
    expect(alone()).toBe(0)
    expect(await ask('d')).toBe('d for r-d')
    expect(alone()).toBe(1)
  })

  it('fail each on their own, as they would by themselves', async () => {
    const { ask } = await open(async (said) => {
      if (said === 'full')
        throw new DomainError('forbidden', 'full', 'There is no room.', { limit: 3 }, { cause: 'x' })
      if (said === 'broken') throw new Error('a secret')
      return said
    })
    const [full, broken, good] = await Promise.allSettled(['full', 'broken', 'good'].map((said) => ask(said)))
    expect(reasonOf(full)).toMatchObject({ kind: 'forbidden', code: 'full', details: { limit: 3 } })
    expect(reasonOf(broken)).toMatchObject({ message: 'responded with INTERNAL' })
    expect(good).toEqual({ status: 'fulfilled', value: 'good' })
  })

  it('do not wait for a slow one among them', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { ask, alone } = await open(async (said) => {
      if (said === 'slow') await held
      return said
    })
    const slow = ask('slow')
    expect(await Promise.all([ask('fast'), ask('faster')])).toEqual(['fast', 'faster'])
    release()
    expect(await slow).toBe('slow')
    expect(alone()).toBe(0)
  })

  it('may be more and larger than one batch may be', async () => {
    const { ask } = await open(async (said) => `${said.length} ${said.repeat(3)}`)
    const said = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(30_000 + index))
    expect(await Promise.all(said.map((one) => ask(one)))).toEqual(
      said.map((one) => `${one.length} ${one.repeat(3)}`),
    )
  })

  it('with different timeouts end in their own time', async () => {
    const { ask } = await open((_said, { signal }) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')))
    })
    const calls = [ask('a', { timeoutMs: 50 }), ask('b', { timeoutMs: 50 }), ask('c', { timeoutMs: 100 })]
    for (const result of await Promise.allSettled(calls))
      expect(reasonOf(result)).toMatchObject({ kind: 'timeout' })
  })

  it('are not made for a caller that has gone before', async () => {
    const made: string[] = []
    const { ask } = await open(async (said) => {
      made.push(said)
      return said
    })
    const gone = new AbortController()
    const calls = [ask('a'), ask('b', { signal: gone.signal }), ask('c')]
    gone.abort()
    const [, b] = await Promise.allSettled(calls)
    expect(reasonOf(b)).toMatchObject({ code: status.CANCELLED })
    expect(made).toEqual(['a', 'c'])
  })

  it('of other methods travel by themselves', async () => {
    const { ask, alone } = await open(async (said) => said, { paths: [definition.other.path] })
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(alone()).toBe(0)
  })
})

describe('a process that', () => {
  /** Serves without `BatchService`, as the previous release does. */
  async function openPrevious() {
    const server = new Server()
    const say = unary<Buffer, Buffer>(async (said) => said)
    server.addService({ say: definition.say }, { say })
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      )
    })
    closing.push(() => server.forceShutdown())
    return connect(`127.0.0.1:${port}`, { isRetryable: false, paths: [definition.say.path] })
  }

  it('knows no batches gets each call by itself', async () => {
    const { ask, alone } = await openPrevious()
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(alone()).toBe(2)
  })

  it('knows no such method is unavailable', async () => {
    const { batchClient } = await open(async (said) => said)
    const calls = [{ method: '/test.Echo/New', request: Buffer.alloc(0), requestId: 'r' }]
    const context = { requestId: 'r', timeoutMs: 5_000 }
    const results = []
    for await (const message of callServerStream(batchClient, batchClient.makeCalls, { calls }, context))
      results.push(...message.results)
    expect(results).toMatchObject([{ index: 0, result: { value: { status: status.UNIMPLEMENTED } } }])
  })

  it('cannot read or write one of the messages responds to the others', async () => {
    const broken = (): never => {
      throw new Error('broken')
    }
    const say = unary<Buffer, Buffer>(async (said) => said)
    const kinds = {
      say: definition.say,
      unread: { ...bytesMethod(`${service}Unread`), requestDeserialize: broken },
      unwritten: { ...bytesMethod(`${service}Unwritten`), responseSerialize: broken },
    }
    const handlers = { say, unread: say, unwritten: say }
    const server = await startPlainServer([{ definition: kinds, handlers, callers: {} }])
    closing.push(() => server.stop())
    const { batchClient } = connect(`127.0.0.1:${server.port}`, { isRetryable: false, paths: [] })
    const calls = Object.values(kinds).map(({ path }) => ({
      ...{ method: path, request: Buffer.from('a'), requestId: 'r' },
    }))
    const context = { requestId: 'r', timeoutMs: 5_000 }
    const results = new Map<number, unknown>()
    for await (const message of callServerStream(batchClient, batchClient.makeCalls, { calls }, context))
      for (const { index, result } of message.results) results.set(index, result)
    const failure = { $case: 'failure', value: { status: status.INTERNAL } }
    expect(results.get(0)).toEqual({ $case: 'response', value: Buffer.from('a') })
    expect([results.get(1), results.get(2)]).toMatchObject([failure, failure])
  })

  it('is asked for too much at once refuses', async () => {
    const { batchClient } = await open(async (said) => said)
    const call = { method: definition.say.path, request: Buffer.from('a'), requestId: 'r' }
    const context = { requestId: 'r', timeoutMs: 5_000 }
    for (const calls of [[], Array(33).fill(call)]) {
      const stream = callServerStream(batchClient, batchClient.makeCalls, { calls }, context)
      await expect(stream.next()).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
    }
  })

  /** Accepts connections and breaks them. */
  async function openBroken(isRetryable: boolean) {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const { port } = server.address() as { port: number }
    return connect(`127.0.0.1:${port}`, { isRetryable, paths: [definition.say.path] })
  }

  it.each([
    ['gets again by itself what may be retried', true, 2],
    ['gets nothing twice otherwise', false, 0],
  ])('cannot be reached %s', async (_case, isRetryable, expected) => {
    const { ask, alone } = await openBroken(isRetryable)
    const results = await Promise.allSettled([ask('a', { timeoutMs: 2_000 }), ask('b', { timeoutMs: 2_000 })])
    for (const result of results) expect(reasonOf(result)).toMatchObject({ kind: unavailable('').kind })
    expect(alone()).toBe(expected)
  })
})

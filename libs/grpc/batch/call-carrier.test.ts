import { setImmediate as turn } from 'node:timers/promises'
import { credentials, Server, ServerCredentials, status } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { DomainError, unavailable } from '../../core/domain-error.js'
import { createLogger } from '../../log/logger.js'
import { startPlainServer } from '../../testing/plain-grpc-server.js'
import { startRelay } from '../../testing/relay.js'
import { type CallContext, callUnary, guardClient } from '../call.js'
import { clientOptions } from '../client-options.js'
import { grpcHandlers, type HandlerContext } from '../handler.js'
import { openClient } from '../open-client.js'
import type { RunningServer } from '../server.js'
import { bytesMethod } from '../testing/bytes-method.js'
import { createCallCarrier } from './call-carrier.js'

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

/** Serves `Say`, whose responses come from `work`. */
async function serve(work: Work): Promise<RunningServer> {
  const say = unary<Buffer, Buffer>(async (said, context) =>
    Buffer.from(await work(said.toString(), context)),
  )
  const server = await startPlainServer([
    { definition: { say: definition.say }, handlers: { say }, callers: {} },
  ])
  closing.push(() => server.stop())
  return server
}

async function open(work: Work, { isRetryable = false, paths = [definition.say.path] } = {}) {
  const server = await serve(work)
  return { ...connect(`127.0.0.1:${server.port}`, { isRetryable, paths }), server }
}

/** Counts the calls that were made by themselves, and the streams. */
function connect(target: string, { isRetryable = false, paths = [definition.say.path] } = {}) {
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
  return { ask, alone: () => alone, streams: () => streams, carrier, batchClient }
}

/** A promise to be resolved by the test. */
function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const reasonOf = (result: PromiseSettledResult<unknown> | undefined): unknown =>
  result?.status === 'rejected' ? result.reason : result

describe('calls on a stream', () => {
  it('each get their own response and request id, a lone one too', async () => {
    const { ask, alone, streams } = await open(async (said, { requestId }) => `${said} for ${requestId}`)
    expect(await ask('d')).toBe('d for r-d')
    expect(await Promise.all(['a', 'b', 'c'].map((said) => ask(said)))).toEqual([
      'a for r-a',
      'b for r-b',
      'c for r-c',
    ])
    expect([alone(), streams()]).toEqual([0, 1])
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
    expect(reasonOf(broken)).toMatchObject({ code: status.INTERNAL })
    expect(String(reasonOf(broken))).not.toContain('secret')
    expect(good).toEqual({ status: 'fulfilled', value: 'good' })
  })

  it('do not wait for a slow one among them', async () => {
    const slowOne = gate()
    const { ask, alone } = await open(async (said) => {
      if (said === 'slow') await slowOne.opened
      return said
    })
    const slow = ask('slow')
    expect(await Promise.all([ask('fast'), ask('faster')])).toEqual(['fast', 'faster'])
    slowOne.open()
    expect(await slow).toBe('slow')
    expect(alone()).toBe(0)
  })

  it('do not wait for a large response', async () => {
    const { ask, alone } = await open(async (said) => (said === 'large' ? 'x'.repeat(6_000_000) : said))
    const ended: string[] = []
    const asked = ['large', 'small', 'smaller'].map(async (said) => {
      const response = await ask(said)
      ended.push(said)
      return response
    })
    expect((await Promise.all(asked)).map(({ length }) => length)).toEqual([6_000_000, 5, 7])
    expect(ended).toEqual(['small', 'smaller', 'large'])
    expect(alone()).toBe(0)
  })

  it('may be many and large; a request of more than 64 KiB travels by itself', async () => {
    const { ask, alone, streams } = await open(async (said) => `${said.length} ${said.repeat(3)}`)
    const said = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(60_000 + index))
    const expected = said.map((one) => `${one.length} ${one.repeat(3)}`)
    expect(await Promise.all(said.map((one) => ask(one)))).toEqual(expected)
    expect(alone()).toBe(0)
    expect(streams()).toBeLessThanOrEqual(8)
    const large = 'x'.repeat(65_537)
    expect(await ask(large)).toBe(`65537 ${large.repeat(3)}`)
    expect(alone()).toBe(1)
  })

  it('with different timeouts end in their own time, and their handlers hear of it', async () => {
    let told = 0
    const { ask } = await open((_said, { signal }) => {
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          told += 1
          resolve('too late')
        }),
      )
    })
    const calls = [ask('a', { timeoutMs: 50 }), ask('b', { timeoutMs: 50 }), ask('c', { timeoutMs: 100 })]
    for (const result of await Promise.allSettled(calls))
      expect(reasonOf(result)).toMatchObject({ kind: 'timeout' })
    await expect.poll(() => told).toBe(3)
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

  it('leave nothing behind when 10,000 are cancelled', async () => {
    let [told, running] = [0, 0]
    const { ask, carrier, server, alone } = await open(
      (_said, { signal }) =>
        new Promise((_resolve, reject) => {
          running += 1
          signal.addEventListener('abort', () => {
            told += 1
            running -= 1
            reject(new Error('cancelled'))
          })
        }),
    )
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController()
      const before = told
      const calls = Array.from({ length: 500 }, (_, index) => ask(String(index), { signal: gone.signal }))
      await expect.poll(() => running).toBe(500)
      gone.abort()
      for (const result of await Promise.allSettled(calls))
        expect(reasonOf(result)).toMatchObject({ code: status.CANCELLED })
      await expect.poll(() => told).toBe(before + 500)
    }
    expect([told, running, alone()]).toEqual([10_000, 0, 0])
    carrier.close()
    // It waits for every stream, and each ends only once neither side has a call on it.
    await server.stop()
    closing.splice(0, 1)
  }, 60_000)

  it('of other methods travel by themselves', async () => {
    const { ask, streams } = await open(async (said) => said, { paths: [definition.other.path] })
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(streams()).toBe(0)
  })

  it('are so many on each of eight at most, and those beyond travel by themselves', async () => {
    const all = gate()
    let made = 0
    const { ask, alone, streams } = await open(async (said) => {
      made += 1
      await all.opened
      return said
    })
    const calls = Array.from({ length: 8 * 128 + 10 }, (_, index) => ask(String(index)))
    await expect.poll(() => made).toBe(8 * 128 + 10)
    expect([streams(), alone()]).toEqual([8, 10])
    all.open()
    expect(await Promise.all(calls)).toEqual(calls.map((_call, index) => String(index)))
  })

  it('are a thousand at most on each', async () => {
    const { ask, streams } = await open(async (said) => said)
    for (let round = 0; round < 201; round += 1) await Promise.all([1, 2, 3, 4, 5].map((n) => ask(String(n))))
    expect(streams()).toBe(2)
  })
})

describe('a process that', () => {
  it('knows no streams gets each call by itself', async () => {
    const server = new Server()
    const say = unary<Buffer, Buffer>(async (said) => said)
    server.addService({ say: definition.say }, { say })
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      )
    })
    closing.push(() => server.forceShutdown())
    const { ask, alone, streams } = connect(`127.0.0.1:${port}`)
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(await ask('c')).toBe('c')
    expect([alone(), streams()]).toEqual([3, 1])
  })

  it.each([
    ['gets again by itself what may be retried', true, 2],
    ['gets nothing twice otherwise', false, 0],
  ])('cannot be reached %s', async (_case, isRetryable, expected) => {
    const relay = await startRelay(1)
    const { ask, alone } = connect(`127.0.0.1:${relay.port}`, { isRetryable })
    relay.close()
    const results = await Promise.allSettled([ask('a', { timeoutMs: 2_000 }), ask('b', { timeoutMs: 2_000 })])
    for (const result of results) expect(reasonOf(result)).toMatchObject({ kind: unavailable('').kind })
    expect(alone()).toBe(expected)
  })
})

/** Two replicas, one behind a relay; calls go to both until the relayed one has this many, and holds them. */
async function openReplicas(isRetryable: boolean, heldMin: number) {
  const [held, here] = [gate(), { calls: 0 }]
  const relayed = await serve(async () => {
    here.calls += 1
    await held.opened
    return 'relayed'
  })
  const relay = await startRelay(relayed.port)
  closing.push(relay.close)
  const other = await serve(async () => 'other')
  const target = `ipv4:127.0.0.1:${relay.port},127.0.0.1:${other.port}`
  const connected = connect(target, { isRetryable })
  const calls: Promise<string>[] = []
  while (here.calls < heldMin) {
    calls.push(connected.ask('a'), connected.ask('b'))
    // The channel chooses a replica for each stream.
    connected.carrier.close()
    await turn()
  }
  return { ...connected, calls, relay, relayed, held, here }
}

describe('when one of two replicas', () => {
  it('dies, calls that may be retried succeed at the other one', async () => {
    const { calls, relay, alone } = await openReplicas(true, 4)
    relay.close()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['other']))
    expect(alone()).toBeGreaterThanOrEqual(4)
  })

  it('dies, other calls to it are unavailable, and none hangs', async () => {
    const { calls, relay, alone } = await openReplicas(false, 4)
    relay.close()
    const results = await Promise.allSettled(calls)
    const lost = results.filter(({ status: how }) => how === 'rejected')
    expect(lost.length).toBeGreaterThanOrEqual(4)
    for (const result of lost) expect(reasonOf(result)).toMatchObject({ kind: 'unavailable' })
    expect(alone()).toBe(0)
  })

  it('shuts down, its calls end there and further ones go to the other', async () => {
    const { calls, relayed, held, here, ask } = await openReplicas(false, 2)
    const stopped = relayed.stop()
    held.open()
    await stopped
    expect(new Set(await Promise.all(calls))).toContain('relayed')
    const before = here.calls
    for (let round = 0; round < 20; round += 1) expect(await ask('c')).toBe('other')
    expect(here.calls).toBe(before)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { experimental } from '@grpc/grpc-js'
import { afterEach, expect, it } from 'vitest'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../log/logger.js'
import { startRelay } from '../testing/relay.js'
import { createCallCarrier } from './batch/call-carrier.js'
import { callUnary, type GuardedClient, guardClient } from './call.js'
import { clientOptions } from './client-options.js'
import { openClient } from './open-client.js'
import { type RunningServer, startGrpcServer } from './server.js'
import { bytesMethod } from './testing/bytes-method.js'
import { plainTransport } from './transport.js'

const ask = bytesMethod('/test.Replicas/Ask')
const connectionAgeMs = 1_000

let replicas: { readonly server: RunningServer; responded: number }[] = []

/** Resolves to the current replicas, like the DNS of a headless service. */
class ReplicaResolver implements experimental.Resolver {
  readonly #listener: experimental.ResolverListener

  constructor(_target: unknown, listener: experimental.ResolverListener) {
    this.#listener = listener
  }

  static getDefaultAuthority(): string {
    return 'replicas'
  }

  updateResolution(): void {
    const addresses = replicas.map(({ server }) => ({
      addresses: [{ host: '127.0.0.1', port: server.port }],
    }))
    setImmediate(() => this.#listener({ ok: true, value: addresses }, {}, null, ''))
  }

  destroy(): void {}
}
experimental.registerResolver('replicas', ReplicaResolver)

async function addReplica(): Promise<void> {
  const replica = { server: undefined as unknown as RunningServer, responded: 0 }
  const handlers = {
    ask: (_call: unknown, callback: (error: null, response: Buffer) => void) => {
      replica.responded += 1
      callback(null, Buffer.from('here'))
    },
  }
  const log = createLogger('test', 'silent')
  const options = {
    host: '127.0.0.1',
    port: 0,
    healthPort: null,
    transport: plainTransport,
    log,
    connectionAgeMs,
  }
  replica.server = await startGrpcServer(options, [{ definition: { ask }, handlers, callers: {} }])
  replicas.push(replica)
}

afterEach(async () => {
  await Promise.all(replicas.map(({ server }) => server.stop().catch(() => {})))
  replicas = []
})

type ReplicasClient = GuardedClient & { readonly ask: Parameters<typeof callUnary<Buffer, Buffer>>[1] }

function open(target: string, retryable: Parameters<typeof clientOptions>[0]): ReplicasClient {
  const credentials = plainTransport.channelCredentials('replica')
  return openClient({ ask }, { target, credentials, options: clientOptions(retryable) })
}

async function call(client: ReplicasClient): Promise<string> {
  try {
    await callUnary(client, client.ask, Buffer.from('?'), { requestId: 'r', timeoutMs: 10_000 })
    return 'OK'
  } catch (error) {
    return String(error)
  }
}

/** Calls without a pause for this long and at least so often, and counts the outcomes. */
async function callFor(client: ReplicasClient, ms: number, callsMin = 1): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  const until = performance.now() + ms
  for (let calls = 0; performance.now() < until || calls < callsMin; calls += 1) {
    const outcome = await call(client)
    found[outcome] = (found[outcome] ?? 0) + 1
    await sleep(2)
  }
  return found
}

it('callers find new replicas, balance calls over them, and lose none when one ends', async () => {
  await addReplica()
  const client = open('replicas:///any', { 'test.Replicas': ['Ask'] })
  expect(Object.keys(await callFor(client, 500))).toEqual(['OK'])
  await addReplica()
  await addReplica()
  // Addresses are resolved again when a connection is renewed.
  const found = async (): Promise<number> => {
    for (const replica of replicas) replica.responded = 0
    expect(Object.keys(await callFor(client, connectionAgeMs))).toEqual(['OK'])
    return replicas.filter(({ responded }) => responded > 0).length
  }
  await expect.poll(found).toBe(3)
  for (const replica of replicas) replica.responded = 0
  const { OK: calls = 0, ...failed } = await callFor(client, 1_500, 300)
  expect(failed).toEqual({})
  for (const { responded } of replicas) expect(responded / calls).toBeGreaterThan(0.2)

  const [gone] = replicas.splice(0, 1)
  const calling = callFor(client, 1_500)
  await sleep(300)
  await gone?.server.stop()
  expect(Object.keys(await calling)).toEqual(['OK'])
  client.close()
})

it.each([
  ['made by themselves', false],
  ['on streams', true],
])('renewing a connection loses no slow calls on it, %s', async (_how, isCarried) => {
  await addReplica()
  const [replica] = replicas
  const relay = await startRelay(replica?.server.port ?? 0)
  relay.impair({ delayMs: 25, jitterMs: 10 })
  // Nothing is retried: each call must arrive and get its response the first time.
  const target = `127.0.0.1:${relay.port}`
  const streams = new BatchServiceClient(
    target,
    plainTransport.channelCredentials('replica'),
    clientOptions({}),
  )
  const carrier = createCallCarrier(streams, new Set([ask.path]), () => false)
  const client = guardClient(open(target, {}), isCarried ? { carrier } : {})
  const calls: Promise<string>[] = []
  for (const until = performance.now() + 3 * connectionAgeMs; performance.now() < until; await sleep(4))
    calls.push(call(client))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['OK']))
  expect(replica?.responded).toBe(calls.length)
  carrier.close()
  streams.close()
  client.close()
  relay.close()
})

import dns from 'node:dns'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../log/logger.js'
import { testPort } from '../testing/test-port.js'
import { createCallCarrier } from './batch/call-carrier.js'
import { callUnary, type GuardedClient, guardClient } from './call.js'
import { clientOptions } from './client-options.js'
import { openClient } from './open-client.js'
import { type RunningServer, startGrpcServer } from './server.js'
import { bytesMethod } from './testing/bytes-method.js'
import { plainTransport } from './transport.js'

const ask = bytesMethod('/test.Pods/Ask')
const log = createLogger('test', 'silent')

interface Pod {
  readonly address: string
  readonly server: RunningServer
  /** Resolves with the first call. */
  readonly called: Promise<void>
}

async function startPod(address: string, port: number): Promise<Pod> {
  let tellCalled: () => void = () => {}
  const called = new Promise<void>((resolve) => {
    tellCalled = resolve
  })
  const handlers = {
    ask: (_call: unknown, callback: (error: null, response: Buffer) => void) => {
      tellCalled()
      callback(null, Buffer.from(address))
    },
  }
  const server = await startGrpcServer(
    { host: address, port, healthPort: null, transport: plainTransport, log },
    [{ definition: { ask }, handlers, callers: {} }],
  )
  return { address, server, called }
}

/** The ready pods, whose addresses the cluster's DNS returns. */
let ready: Pod[] = []
const { lookup } = dns.promises

beforeEach(() => {
  const pods = async () => ready.map(({ address }) => ({ address, family: 4 }))
  dns.promises.lookup = pods as unknown as typeof lookup
})

afterEach(async () => {
  dns.promises.lookup = lookup
  await Promise.all(ready.map(({ server }) => server.stop()))
  ready = []
})

type PodsClient = GuardedClient & { readonly ask: Parameters<typeof callUnary<Buffer, Buffer>>[1] }

/** A client, and the carrier of its calls if it has one. */
function openPods(target: string, isCarried: boolean) {
  const [channel, options] = [plainTransport.channelCredentials('pods'), clientOptions({})]
  const client = openClient<PodsClient>({ ask }, { target, credentials: channel, options })
  if (!isCarried) return { client, carrier: null }
  const streams = new BatchServiceClient(target, channel, options)
  const carrier = createCallCarrier(streams, new Set([ask.path]), () => false)
  return { client: guardClient(client, { carrier }), carrier }
}

async function call(client: PodsClient): Promise<string> {
  const context = { requestId: 'r', timeoutMs: 5_000 }
  try {
    await callUnary(client, client.ask, Buffer.from('?'), context)
    return 'OK'
  } catch (error) {
    return String(error)
  }
}

/** Twenty callers call without a pause until stopped; returns the distinct outcomes. */
function callOn(client: PodsClient): { stop(): Promise<readonly string[]> } {
  const outcomes = new Set<string>()
  let stopped = false
  const calling = Array.from({ length: 20 }, async () => {
    for (; !stopped; await turn()) outcomes.add(await call(client))
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(calling)
      return [...outcomes]
    },
  }
}

/** Every pod needs its own address on the same port. */
const hasManyLoopbacks = process.platform === 'linux'

describe.runIf(hasManyLoopbacks)('a rollout (needs Linux: macOS has one loopback address)', () => {
  // Well below the 30 s after which grpc-js would resolve a name again by itself.
  describe.each([
    ['made by themselves', false],
    ['on streams', true],
  ])('with calls %s', (_how, isCarried) => {
    it('that replaces pods one by one fails no call', { timeout: 20_000 }, async () => {
      const port = await testPort()
      for (const host of [2, 3, 4]) ready.push(await startPod(`127.0.0.${host}`, port))
      const { client, carrier } = openPods(`dns:///pods:${port}`, isCarried)
      const calling = callOn(client)
      await Promise.all(ready.map(({ called }) => called))
      for (const host of [5, 6, 7]) {
        const fresh = await startPod(`127.0.0.${host}`, port)
        const [old, ...others] = ready
        ready = [...others, fresh]
        await old?.server.stop()
        await fresh.called
      }
      expect(await calling.stop()).toEqual(['OK'])
      carrier?.close()
      client.close()
    })
  })
})

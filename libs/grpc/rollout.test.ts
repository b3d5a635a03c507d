import dns from 'node:dns'
import { setImmediate as turn } from 'node:timers/promises'
import { Client, status } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { testPort } from '../testing/test-port.js'
import { clientOptions } from './client-options.js'
import { type RunningServer, startGrpcServer } from './server.js'
import { bytesMethod } from './testing/bytes-method.js'
import { plainTransport } from './transport.js'

const same = (bytes: Buffer): Buffer => bytes
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

function call(client: Client): Promise<string> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      ask.path,
      same,
      same,
      Buffer.from('?'),
      { deadline: Date.now() + 5_000 },
      (error) => resolve(status[error?.code ?? status.OK] ?? 'none'),
    )
  })
}

/** Calls without a pause until stopped, and returns the distinct outcomes. */
function callOn(client: Client): { stop(): Promise<readonly string[]> } {
  const outcomes = new Set<string>()
  let stopped = false
  const calling = (async () => {
    for (; !stopped; await turn()) outcomes.add(await call(client))
  })()
  return {
    async stop() {
      stopped = true
      await calling
      return [...outcomes]
    },
  }
}

/** Every pod needs its own address on the same port. */
const hasManyLoopbacks = process.platform === 'linux'

describe.runIf(hasManyLoopbacks)('a rollout (needs Linux: macOS has one loopback address)', () => {
  // Well below the 30 s after which grpc-js would resolve a name again by itself.
  it('that replaces pods one by one fails no call', { timeout: 20_000 }, async () => {
    const port = await testPort()
    for (const host of [2, 3, 4]) ready.push(await startPod(`127.0.0.${host}`, port))
    const client = new Client(
      `dns:///pods:${port}`,
      plainTransport.channelCredentials('pods'),
      clientOptions({}),
    )
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
    client.close()
  })
})

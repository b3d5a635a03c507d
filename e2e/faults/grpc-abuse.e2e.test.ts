import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ServiceError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthClient } from '#libs/grpc/health-client.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { iterations } from '../harness/iterations.js'
import { startLoad } from '../harness/load.js'
import { startSystem, type TestSystem } from '../harness/system.js'

let system: TestSystem
let port: number

beforeAll(async () => {
  system = await startSystem()
  port = system.contents[0]?.port ?? 0
})
afterAll(() => system?.stop())

/** A client that must not notice any of this. */
async function bystander() {
  const ann = await system.user('ann', 'pro')
  const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'read', data: {} })).json<{
    id: string
  }>()
  return startLoad(50, { read: async () => (await ann.get(`/api/snippets/${id}`)).status })
}

/** The bytes of one gRPC call, from the HTTP/2 preface on. */
async function recordedCall(): Promise<Buffer> {
  const sent: Buffer[] = []
  const relay = createServer((from: Socket) => {
    const to = createConnection(port, '127.0.0.1')
    for (const socket of [from, to]) socket.on('error', () => {})
    from.on('data', (chunk) => {
      sent.push(chunk)
      to.write(chunk)
    })
    to.on('data', (chunk) => from.write(chunk))
    from.on('close', () => to.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const address = relay.address()
  const target = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const health = healthClient(target, plainTransport.channelCredentials('content'))
  expect(await health.isServing(5_000)).toBe(true)
  health.close()
  relay.close()
  return Buffer.concat(sent)
}

function mutated(call: Buffer): Buffer {
  const bytes = Buffer.from(call)
  const changes = 1 + Math.floor(Math.random() * 8)
  // The preface stays intact, or most of the rest would never be parsed.
  for (let done = 0; done < changes; done += 1)
    bytes[24 + Math.floor(Math.random() * (bytes.length - 24))] = Math.floor(Math.random() * 256)
  return Math.random() < 0.2 ? bytes.subarray(0, 24 + Math.floor(Math.random() * (bytes.length - 24))) : bytes
}

function throwAt(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.once('close', () => resolve())
    socket.resume()
    socket.end(bytes)
    setTimeout(() => socket.destroy(), 200).unref()
  })
}

describe('the gRPC port of a service', () => {
  it('survives thousands of broken frames without affecting other sessions', async () => {
    const call = await recordedCall()
    expect(call.subarray(0, 24).toString()).toBe('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    const load = await bystander()
    const { pid } = system.contents[0] ?? {}
    for (let sent = 0; sent < iterations(1_000, 10_000); sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => throwAt(mutated(call))))
    const outcomes = await load.stop()
    expect(outcomes.filter((outcome) => outcome.status !== 200)).toEqual([])
    expect(system.contents[0]?.pid).toBe(pid)
    expect(system.contents[0]?.output()).not.toContain('uncaught exception')
  })

  it('survives thousands of streams opened and reset', async () => {
    const load = await bystander()
    for (let round = 0; round < 5; round += 1) {
      const session: ClientHttp2Session = connectHttp2(`http://127.0.0.1:${port}`)
      session.on('error', () => {})
      for (let streams = 0; streams < 1_000 && !session.closed && !session.destroyed; streams += 1) {
        const stream = session.request({
          ':method': 'POST',
          ':path': '/snipkeep.content.v1.SnippetService/GetSnippet',
          'content-type': 'application/grpc',
          te: 'trailers',
        })
        stream.on('error', () => {})
        stream.close(constants.NGHTTP2_CANCEL)
      }
      await sleep(300)
      session.destroy()
    }
    const outcomes = await load.stop()
    expect(outcomes.filter((outcome) => outcome.status !== 200)).toEqual([])
  })

  it('rejects messages over a megabyte', async () => {
    const client = new Client(`127.0.0.1:${port}`, plainTransport.channelCredentials('content'))
    const raw = (bytes: Buffer): Buffer => bytes
    const code = await new Promise<string | undefined>((resolve) => {
      const done = (error: ServiceError | null): void => resolve(status[error?.code ?? status.OK])
      const large = Buffer.alloc(2 * 1_048_576)
      const path = '/snipkeep.content.v1.SnippetService/CreateSnippet'
      client.makeUnaryRequest(path, raw, raw, large, { deadline: Date.now() + 5_000 }, done)
    })
    client.close()
    expect(code).toBe('RESOURCE_EXHAUSTED')
  })
})

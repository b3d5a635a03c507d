import { type Client, credentials, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import { callServerStream } from '../call.js'
import { openClient } from '../open-client.js'
import { bytesMethod } from '../testing/bytes-method.js'
import { allocateWithHeadroom, bytesMessage, bytesOnlyField } from './bytes-field.js'

const generated = bytesMethod('/test.Canary/Download', { response: true })
const written: Buffer[] = []
const read: Buffer[] = []
const download = {
  ...generated,
  responseSerialize(bytes: Buffer) {
    const message = bytesMessage(1, bytes)
    written.push(message)
    return message
  },
  responseDeserialize(message: Buffer) {
    read.push(message)
    return bytesOnlyField(1, message) ?? Buffer.alloc(0)
  },
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

describe('upgrade canary: zero-copy messages rely on grpc-js, which', () => {
  it('passes messages to and from our serializers as buffers, and does not touch their memory', async () => {
    const chunks = ['a', 'b', 'c'].map((letter) => allocateWithHeadroom(200_000).fill(letter))
    const server = new Server()
    server.addService(
      { download },
      {
        download(call: ServerWritableStream<Buffer, Buffer>) {
          for (const chunk of chunks) call.write(chunk)
          call.end()
        },
      },
    )
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      )
    })
    closing.push(() => server.forceShutdown())
    const to = { target: `127.0.0.1:${port}`, credentials: credentials.createInsecure(), options: {} }
    const client = openClient<Client & { download: never }>({ download }, to)
    closing.push(() => client.close())
    const arrived: Buffer[] = []
    const context = { requestId: 'r', timeoutMs: 5_000 }
    for await (const chunk of callServerStream<Buffer, Buffer>(
      client,
      client.download,
      Buffer.alloc(0),
      context,
    ))
      arrived.push(chunk)
    expect(arrived.map((chunk) => [chunk.length, chunk.toString('latin1', 0, 1)])).toEqual([
      [200_000, 'a'],
      [200_000, 'b'],
      [200_000, 'c'],
    ])
    expect(written.map(({ buffer }) => buffer)).toEqual(chunks.map(({ buffer }) => buffer))
    expect(read.every((message) => Buffer.isBuffer(message))).toBe(true)
    for (const [index, chunk] of arrived.entries()) expect(chunk.buffer).toBe(read[index]?.buffer)
  })
})

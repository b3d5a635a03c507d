import { once } from 'node:events'
import { constants, createServer, type Http2Server } from 'node:http2'
import { type Client, credentials, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CallContext, callClientStream, callServerStream, callUnary, requestIdKey } from './call.js'
import { openClient } from './open-client.js'
import { isLostCall } from './status.js'
import { bytesMethod } from './testing/bytes-method.js'

const definition = {
  unary: bytesMethod('/test.Kinds/Unary'),
  upload: bytesMethod('/test.Kinds/Upload', { request: true }),
  download: bytesMethod('/test.Kinds/Download', { response: true }),
}
const context: CallContext = { requestId: 'r', timeoutMs: 5_000 }
const hello = Buffer.from('hello')

let server: Http2Server
let client: Client & Record<keyof typeof definition, never>
/** The HTTP/2 error code with which the server resets every stream. */
let code: number = constants.NGHTTP2_CANCEL

/** The request ids of the streams that have reached the server. */
const seen = new Set<unknown>()

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.add(request.headers[requestIdKey])
    response.stream.close(code)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  client = openClient(definition, {
    target: `127.0.0.1:${port}`,
    credentials: credentials.createInsecure(),
    options: { 'grpc.enable_retries': 0 },
  })
})
afterAll(() => {
  client.close()
  server.close()
})

async function upload(): Promise<Buffer> {
  const stream = callClientStream<Buffer, Buffer>(client, client.upload, context)
  await stream.write(Buffer.alloc(100_000))
  return stream.finish()
}

async function download(): Promise<void> {
  for await (const _message of callServerStream<Buffer, Buffer>(client, client.download, hello, context));
}

const codes = [
  'NGHTTP2_PROTOCOL_ERROR',
  'NGHTTP2_INTERNAL_ERROR',
  'NGHTTP2_REFUSED_STREAM',
  'NGHTTP2_CANCEL',
  'NGHTTP2_ENHANCE_YOUR_CALM',
] as const

it.each(codes)('a call of any kind whose stream is reset by %s counts as lost', async (name) => {
  code = constants[name]
  const calls = [callUnary<Buffer, Buffer>(client, client.unary, hello, context), upload(), download()]
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { kind: 'unavailable', code: 'unavailable' },
    })
    expect(isLostCall(result.status === 'rejected' && result.reason.cause)).toBe(true)
  }
})

it('a call cancelled by its caller does not count as lost', async () => {
  const abort = new AbortController()
  const call = callUnary<Buffer, Buffer>(client, client.unary, hello, { ...context, signal: abort.signal })
  abort.abort()
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ details: 'Cancelled on client' })
  expect(isLostCall(error)).toBe(false)
})

it('a call of any kind whose caller has gone is not made, and does not count as lost', async () => {
  const gone = { ...context, requestId: 'gone', signal: AbortSignal.abort() }
  const calls = [
    () => callUnary<Buffer, Buffer>(client, client.unary, hello, gone),
    async () => callClientStream<Buffer, Buffer>(client, client.upload, gone).finish(),
    () => callServerStream<Buffer, Buffer>(client, client.download, hello, gone).next(),
  ]
  for (const call of calls) {
    const error = await call().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: status.CANCELLED, details: 'Cancelled on client' })
    expect(isLostCall(error)).toBe(false)
  }
  // A call made later arrives later.
  await callUnary<Buffer, Buffer>(client, client.unary, hello, { ...context, requestId: 'later' }).catch(
    () => {},
  )
  expect(seen).toContain('later')
  expect(seen).not.toContain('gone')
})

import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callClientStream, callServerStream, guardClient } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { type RunningServer, startGrpcServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import {
  type DocumentServiceClient,
  DocumentServiceService,
  type ReadDocumentRequest,
  type ReadDocumentResponse,
  type WriteDocumentRequest,
  type WriteDocumentResponse,
} from '#proto/snipkeep/content/v1/document_service.js'
import { openDocumentClient } from './upstreams.js'

const chunk = Buffer.from('0123456789')
const minutes = 5
const stepMs = 10_000
const context = { requestId: 'r', timeoutMs: 900_000 }

let server: RunningServer
let documents: DocumentServiceClient
/** Lets the server send the next chunk of a document. */
let sendNext: () => void = () => {}
/** What the server waits for before it responds to the end of an upload. */
let respond: Promise<void> = Promise.resolve()
const breaker = { check() {}, responded: vi.fn(), lost: vi.fn(), isOpen: () => false, close() {} }

const log = createLogger('test', 'silent')
const { clientStream, serverStream } = grpcHandlers(log)
const handlers = {
  writeDocument: clientStream<WriteDocumentRequest, WriteDocumentResponse>(async (requests) => {
    let sizeBytes = 0
    for await (const { part } of requests) if (part?.$case === 'chunk') sizeBytes += part.value.length
    await respond
    return { documentId: 'd', sizeBytes, compared: false }
  }),
  readDocument: serverStream<ReadDocumentRequest, ReadDocumentResponse>(async function* () {
    for (let left = (minutes * 60_000) / stepMs; left > 0; left -= 1) {
      await new Promise<void>((resolve) => {
        sendNext = resolve
      })
      yield { chunk }
    }
  }),
}

/** Lets the sockets of this process carry what was written. */
async function settle(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await turn()
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const options = { host: '127.0.0.1', port: 0, healthPort: null, transport: plainTransport }
  server = await startGrpcServer({ ...options, log }, [
    { definition: DocumentServiceService, handlers, callers: {} },
  ])
  const credentials = plainTransport.channelCredentials('content')
  const target = `127.0.0.1:${server.port}`
  documents = guardClient(openDocumentClient({ target, credentials, options: clientOptions({}) }), {
    breaker,
  })
  respond = Promise.resolve()
  breaker.lost.mockClear()
})
afterEach(async () => {
  vi.useRealTimers()
  documents.close()
  await server.stop()
})

it('an upload that takes minutes outlives the renewals of its connection', async () => {
  const upload = callClientStream(documents, documents.writeDocument, context)
  let sent = 0
  for (let ms = 0; ms < minutes * 60_000; ms += stepMs) {
    await upload.write({ part: { $case: 'chunk', value: chunk } })
    sent += chunk.length
    await settle()
    vi.advanceTimersByTime(stepMs)
  }
  expect(await upload.finish()).toMatchObject({ sizeBytes: sent })
})

it('a download that takes minutes outlives the renewals of its connection', async () => {
  const request = { documentId: 'd', offset: 0 }
  const chunks: Buffer[] = []
  const read = (async () => {
    for await (const part of callServerStream(documents, documents.readDocument, request, context))
      chunks.push(part.chunk)
  })()
  read.catch(() => {})
  await settle()
  for (let ms = 0; ms < minutes * 60_000; ms += stepMs) {
    sendNext()
    await settle()
    vi.advanceTimersByTime(stepMs)
  }
  await read
  expect(Buffer.concat(chunks)).toHaveLength((chunk.length * minutes * 60_000) / stepMs)
})

it('a download whose server is silent for a minute fails as unavailable', async () => {
  const request = { documentId: 'd', offset: 0 }
  const read = (async () => {
    for await (const _part of callServerStream(documents, documents.readDocument, request, context)) break
  })()
  read.catch(() => {})
  await settle()
  vi.advanceTimersByTime(55_000)
  await settle()
  const early = await Promise.race([read.then(() => 'ended'), Promise.resolve('waits')])
  expect(early).toBe('waits')
  vi.advanceTimersByTime(10_000)
  await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  expect(breaker.lost).toHaveBeenCalledOnce()
})

it('an upload whose end gets no response for a minute fails as unavailable', async () => {
  let release = () => {}
  respond = new Promise((resolve) => {
    release = resolve
  })
  const upload = callClientStream(documents, documents.writeDocument, context)
  await upload.write({ part: { $case: 'chunk', value: chunk } })
  const finished = upload.finish()
  finished.catch(() => {})
  await settle()
  vi.advanceTimersByTime(55_000)
  await settle()
  expect(await Promise.race([finished.then(() => 'ended'), Promise.resolve('waits')])).toBe('waits')
  vi.advanceTimersByTime(10_000)
  await expect(finished).rejects.toMatchObject({ kind: 'unavailable' })
  expect(breaker.lost).toHaveBeenCalledOnce()
  release()
})

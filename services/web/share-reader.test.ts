import { afterEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import type { CallContext } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { testPort } from '#libs/testing/test-port.js'
import {
  DocumentServiceService,
  type ReadDocumentRequest,
} from '#proto/snipkeep/content/v1/document_service.js'
import {
  type GetShareRequest,
  type GetShareResponse,
  type Share,
  ShareServiceService,
} from '#proto/snipkeep/content/v1/share_service.js'
import { grpcShareReader, type ShareReader } from './share-reader.js'
import { previewId } from './testing/previews.js'

const context: CallContext = { requestId: 'test', timeoutMs: 10_000 }
const createdAt = new Date('2026-01-02T03:04:05.678Z')
const expiresAt = new Date('2026-02-01T03:04:05.678Z')

function response(data: Share['data'], sizeBytes: number): GetShareResponse {
  const share = {
    id: previewId,
    tool: 'csv',
    title: 'Title',
    sizeBytes,
    createdAt,
    expiresAt,
    etag: 'x',
    data,
    disabledAt: undefined,
    gate: undefined,
  }
  return { share, timeLeftMs: 90_000 }
}

let server: RunningServer | undefined
let reader: ShareReader | undefined
afterEach(async () => {
  reader?.close()
  await server?.stop()
})

/** A reader of a fake content service, and the requests that it received. */
async function readerOf(
  getShare: () => GetShareResponse,
  document = Buffer.alloc(0),
): Promise<{ reader: ShareReader; asked: (GetShareRequest | ReadDocumentRequest)[] }> {
  const asked: (GetShareRequest | ReadDocumentRequest)[] = []
  const { unary, serverStream } = grpcHandlers(createLogger('test', 'silent'))
  const refused = unary(async () => {
    throw new Error('a page only reads')
  })
  server = await startPlainServer([
    {
      callers: {},
      definition: ShareServiceService,
      handlers: {
        getShare: unary(async (request: GetShareRequest) => {
          asked.push(request)
          return getShare()
        }),
        createShare: refused,
        listShares: refused,
        deleteShare: refused,
      },
    },
    {
      callers: {},
      definition: DocumentServiceService,
      handlers: {
        readDocument: serverStream(async function* (request: ReadDocumentRequest) {
          asked.push(request)
          const wanted = document.subarray(
            request.offset,
            request.offset + (request.length ?? document.length),
          )
          for (let at = 0; at < wanted.length; at += 10_000) yield { chunk: wanted.subarray(at, at + 10_000) }
        }),
      },
    },
  ])
  reader = grpcShareReader(`127.0.0.1:${server.port}`, plainTransport)
  return { reader, asked }
}

describe('a reader of shares', () => {
  it('returns what a page shows of a share, small data whole, in one call', async () => {
    const value = Buffer.from('{"csv":"a"}')
    const given = await readerOf(() => response({ $case: 'inline', value }, value.length))
    expect(await given.reader.read(previewId, 65_540, context)).toEqual({
      id: previewId,
      tool: 'csv',
      title: 'Title',
      sizeBytes: value.length,
      createdAt,
      expiresAt,
      timeLeftMs: 90_000,
      head: value,
    })
    expect(given.asked).toEqual([{ id: previewId, includeData: true }])
  })

  it('returns a share that never expires', async () => {
    const value = Buffer.from('{}')
    const given = await readerOf(() => {
      const { share } = response({ $case: 'inline', value }, value.length)
      return { share: share && { ...share, expiresAt: undefined }, timeLeftMs: undefined }
    })
    expect(await given.reader.read(previewId, 65_540, context)).toMatchObject({
      expiresAt: null,
      timeLeftMs: null,
    })
  })

  it('requests only the first part of a large document', async () => {
    const document = Buffer.alloc(1_000_000, 'abcdefg')
    const data = { $case: 'documentId', value: 'document-1' } as const
    const given = await readerOf(() => response(data, document.length), document)
    const { head } = await given.reader.read(previewId, 65_540, context)
    expect(Buffer.from(head).equals(document.subarray(0, 65_540))).toBe(true)
    expect(given.asked).toContainEqual({ documentId: 'document-1', offset: 0, length: 65_540 })
  })

  it('passes on content’s errors, with everything the page needs', async () => {
    const details = { title: 'Old', expired_at: '2026-01-02T03:04:05.678Z' }
    const given = await readerOf(() => {
      throw new DomainError('gone', 'share_expired', 'x', details)
    })
    await expect(given.reader.read(previewId, 10, context)).rejects.toMatchObject({ kind: 'gone', details })
  })

  it('is unavailable when content is unreachable', async () => {
    reader = grpcShareReader(`127.0.0.1:${await testPort()}`, plainTransport)
    await expect(reader.read(previewId, 10, context)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

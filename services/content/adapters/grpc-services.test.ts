import type { Client } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callClientStream, callServerStream, callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { encodeCursor } from '#libs/paging/cursor.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { DocumentServiceClient, Operation } from '#proto/snipkeep/content/v1/document_service.js'
import { ShareServiceClient, ShareState } from '#proto/snipkeep/content/v1/share_service.js'
import {
  type CreateSnippetRequest,
  SnippetServiceClient,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import { UsageServiceClient } from '#proto/snipkeep/content/v1/usage_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { documentId, snippetId } from '../domain/ids.js'
import type { ContentFixture } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { countCorruption } from './document-stores.js'
import { grpcDocuments } from './grpc-documents.js'
import { grpcUsage } from './grpc-owners.js'
import { grpcShares } from './grpc-shares.js'
import { grpcSnippets } from './grpc-snippets.js'

const none = { history: 20, apiKeys: 0, trustedPublishers: 0, revisions: 0, contracts: 1 }
const unlimited = { snippets: null, shares: null, storedBytes: null, shareTtlDays: null, ...none }
const limits = { ...unlimited, dataBytes: 5_242_880, snippets: 15, shareTtlDays: 30 }
const plans = { free: limits, pro: { ...limits, ...unlimited, dataBytes: 52_428_800 } }
const context = { requestId: 'r', timeoutMs: 20_000 }
const nul = 'a\u0000'
const counted = { contracts: 0, pendingChecks: 0, storedBytes: expect.any(Number) }

let fixture: ContentFixture
let server: RunningServer
let snippets: SnippetServiceClient
let shares: ShareServiceClient
let documents: DocumentServiceClient
let usage: UsageServiceClient
let clients: Client[]

beforeEach(async () => {
  fixture = memoryFixture()
  const handlers = grpcHandlers(createLogger('test', 'silent'), countCorruption)
  server = await startPlainServer([
    grpcSnippets(handlers, fixture.ports, plans),
    grpcShares(handlers, fixture.ports, plans),
    grpcDocuments(handlers, fixture.ports, plans),
    grpcUsage(handlers, fixture.ports),
  ])
  const target = `127.0.0.1:${server.port}`
  snippets = new SnippetServiceClient(target, plainTransport.channelCredentials('content'))
  shares = new ShareServiceClient(target, plainTransport.channelCredentials('content'))
  documents = new DocumentServiceClient(target, plainTransport.channelCredentials('content'))
  usage = new UsageServiceClient(target, plainTransport.channelCredentials('content'))
  clients = [snippets, shares, documents, usage]
})
afterEach(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

const newSnippet: CreateSnippetRequest = {
  ownerId: 'ann',
  plan: Plan.PLAN_FREE,
  name: '',
  tool: 'csv',
  title: 'T',
  tags: ['a'],
  data: { source: { $case: 'inline', value: Buffer.from('{"a":1}') } },
  idempotencyKey: '',
  titleIsGenerated: false,
  principal: undefined,
}
const newShare = { ...newSnippet, expiry: undefined, principal: undefined, allowedSecrets: [] }
const create = (fields: Partial<CreateSnippetRequest> = {}) =>
  callUnary(snippets, snippets.createSnippet, { ...newSnippet, ...fields }, context)
const list = (fields: object = {}) => {
  const everything = {
    ownerId: 'ann',
    tool: '',
    tags: [],
    query: '',
    pageSize: 100,
    cursor: '',
    includeData: true,
    knownEtag: '',
    dataBytesMax: 10_000_000,
  }
  return callUnary(snippets, snippets.listSnippets, { ...everything, ...fields }, context)
}

function openUpload() {
  const upload = callClientStream(documents, documents.writeDocument, context)
  const start = {
    ownerId: 'ann',
    plan: Plan.PLAN_FREE,
    idempotencyKey: '',
    operation: Operation.OPERATION_CREATE_SNIPPET,
  }
  return { upload, started: upload.write({ part: { $case: 'start', value: start } }) }
}

async function uploadBytes(bytes: Buffer): Promise<string> {
  const { upload, started } = openUpload()
  await started
  for (let at = 0; at < bytes.length; at += 262_144) {
    await upload.write({ part: { $case: 'chunk', value: bytes.subarray(at, at + 262_144) } })
  }
  return (await upload.finish()).documentId
}

async function download(id: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  const request = { documentId: id, offset: 0, length: undefined }
  for await (const { chunk } of callServerStream(documents, documents.readDocument, request, context))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** `collect` returns a live object that changes with the counter; a number does not. */
const damagedReads = async () => (await metrics.damagedReads.collect())[0]?.value ?? 0

describe('content over gRPC', () => {
  it('stores, returns, changes and deletes a snippet, and checks If-Match', async () => {
    const { snippet } = await create()
    const request = { ownerId: 'ann', id: snippet?.id ?? '', includeData: true, knownEtag: '' }
    const got = await callUnary(snippets, snippets.getSnippet, request, context)
    expect(got.snippet).toEqual({ ...snippet, data: { $case: 'inline', value: Buffer.from('{"a":1}') } })
    const update = {
      ...newSnippet,
      id: request.id,
      tool: undefined,
      title: 'U',
      tags: { tags: [] },
      data: undefined,
    }
    const changed = await callUnary(
      snippets,
      snippets.updateSnippet,
      { ...update, ifMatch: [snippet?.etag ?? ''] },
      context,
    )
    expect(changed.snippet).toMatchObject({ tool: 'csv', title: 'U', tags: [], sizeBytes: 7 })
    const again = callUnary(
      snippets,
      snippets.deleteSnippet,
      { ...request, ifMatch: [snippet?.etag ?? ''] },
      context,
    )
    await expect(again).rejects.toMatchObject({ code: 'precondition_failed' })
    await callUnary(snippets, snippets.deleteSnippet, { ...request, ifMatch: [] }, context)
    await expect(callUnary(snippets, snippets.getSnippet, request, context)).rejects.toMatchObject({
      kind: 'not-found',
    })
  })

  it("publishes a share with its remaining lifetime, and counts an owner's usage", async () => {
    await create()
    const { share } = await callUnary(shares, shares.createShare, newShare, context)
    const got = await callUnary(shares, shares.getShare, { id: share?.id ?? '', includeData: true }, context)
    expect(got).toMatchObject({
      timeLeftMs: 30 * 86_400_000,
      share: { id: share?.id, data: { $case: 'inline' } },
    })
    const used = () => callUnary(usage, usage.getUsage, { ownerId: 'ann' }, context)
    expect(await used()).toEqual({ ...counted, snippets: 1, shares: 1 })
    const all = { ownerId: 'ann', tool: '', state: ShareState.SHARE_STATE_EXPIRED, pageSize: 10, cursor: '' }
    expect((await callUnary(shares, shares.listShares, all, context)).shares).toEqual([])
    await fixture.passTime(30 * 86_400_000)
    const listed = { ...share, sha256: expect.any(Buffer) }
    expect((await callUnary(shares, shares.listShares, all, context)).shares).toEqual([listed])
    const expired = callUnary(shares, shares.getShare, { id: share?.id ?? '', includeData: true }, context)
    await expect(expired).rejects.toMatchObject({ kind: 'gone', details: { title: 'T' } })
    expect(await used()).toEqual({ ...counted, snippets: 1, shares: 0 })
  })

  it('stores a document from chunks and returns it byte for byte', async () => {
    const bytes = Buffer.alloc(3_000_001, 'äbc')
    const id = await uploadBytes(bytes)
    const { snippet } = await create({ data: { source: { $case: 'documentId', value: id } } })
    expect(snippet?.sizeBytes).toBe(bytes.length)
    expect((await list()).snippets[0]?.data).toEqual({ $case: 'documentId', value: id })
    expect((await download(id)).equals(bytes)).toBe(true)
  })

  it('ends the stream of a corrupt document with an error, and counts it', async () => {
    const before = await damagedReads()
    const id = await uploadBytes(Buffer.alloc(1_000_000))
    await expect(download(`${id}x`)).rejects.toThrow()
    expect(await damagedReads()).toBe(before)
    await fixture.damageDocument(documentId(id))
    await expect(download(id)).rejects.toThrow()
    expect(await damagedReads()).toBe(before + 1)
  })

  it('counts corrupt data of a snippet, whether read alone, in a batch or in a list', async () => {
    const { snippet } = await create()
    const read = { ownerId: 'ann', id: snippet?.id ?? '', includeData: true, knownEtag: '' }
    await fixture.damageSnippet(snippetId(read.id))
    const before = await damagedReads()
    await expect(callUnary(snippets, snippets.getSnippet, read, context)).rejects.toThrow()
    await callUnary(snippets, snippets.batchGetSnippets, { requests: [read], requestIds: ['r'] }, context)
    await expect(list()).rejects.toThrow()
    expect(await damagedReads()).toBe(before + 3)
  })

  it('refuses an upload as soon as it is too large', async () => {
    await expect(uploadBytes(Buffer.alloc(5_242_881))).rejects.toMatchObject({ code: 'data_too_large' })
    expect(await fixture.documentsWithBytes()).toBe(0)
  })

  it('stores nothing of a cancelled upload', async () => {
    const { upload, started } = openUpload()
    await started
    await upload.write({ part: { $case: 'chunk', value: Buffer.alloc(100_000) } })
    upload.cancel()
    await expect(upload.finish()).rejects.toThrow()
    await server.stop()
    await fixture.passTime(1)
    expect([await fixture.documentsWithBytes(), await fixture.ports.registry.condemn(0, 10)]).toEqual([0, []])
  })

  it('refuses an upload without a start message, or with two', async () => {
    const silent = callClientStream(documents, documents.writeDocument, context)
    silent.write({ part: { $case: 'chunk', value: Buffer.from('{}') } }).catch(() => {})
    await expect(silent.finish()).rejects.toMatchObject({ kind: 'invalid' })
    const { upload, started } = openUpload()
    await started
    const start = { ownerId: 'bob', plan: Plan.PLAN_PRO, idempotencyKey: '', operation: 0 as const }
    upload.write({ part: { $case: 'start', value: start } }).catch(() => {})
    await expect(upload.finish()).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('keeps messages within a megabyte, however many items are requested', async () => {
    const data = { source: { $case: 'inline' as const, value: Buffer.alloc(65_536, 'x') } }
    for (let n = 0; n < 15; n += 1) await create({ data })
    const sizes: number[] = []
    let cursor = ''
    do {
      const page = await list({ cursor })
      sizes.push(page.snippets.length)
      cursor = page.nextCursor
    } while (cursor !== '')
    expect(sizes).toEqual([12, 3])
  })

  it('refuses a missing or invalid plan, state, data or cursor', async () => {
    await expect(create({ plan: Plan.PLAN_UNSPECIFIED })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(create({ data: undefined })).rejects.toMatchObject({ kind: 'invalid' })
    for (const cursor of ['x', encodeCursor(['now', 'a']), encodeCursor(['2030-01-01', nul])]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    const unspecified = {
      ownerId: 'ann',
      tool: '',
      state: ShareState.SHARE_STATE_UNSPECIFIED,
      pageSize: 10,
      cursor: '',
    }
    await expect(callUnary(shares, shares.listShares, unspecified, context)).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  it('rejects NUL characters before they reach a store', async () => {
    const invalid = { kind: 'invalid' }
    for (const fields of [
      { ownerId: nul },
      { tool: nul },
      { title: nul },
      { tags: [nul] },
      { idempotencyKey: nul },
    ]) {
      await expect(create(fields), JSON.stringify(fields)).rejects.toMatchObject(invalid)
    }
    for (const fields of [{ ownerId: nul }, { tool: nul }, { tags: [nul] }]) {
      await expect(list(fields), JSON.stringify(fields)).rejects.toMatchObject(invalid)
    }
    expect((await list({ query: nul })).snippets).toEqual([])
    const wanted = { ownerId: 'ann', id: nul, includeData: true, knownEtag: '', ifMatch: [] }
    for (const call of [
      callUnary(snippets, snippets.getSnippet, wanted, context),
      callUnary(snippets, snippets.deleteSnippet, wanted, context),
      callUnary(shares, shares.getShare, wanted, context),
      callUnary(shares, shares.deleteShare, wanted, context),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: 'not-found' })
    }
    await expect(download(nul)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

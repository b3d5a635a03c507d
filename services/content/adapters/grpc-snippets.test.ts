import { afterEach, beforeEach, expect, it } from 'vitest'
import { callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { fromFailure } from '#libs/grpc/status.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { SnippetServiceClient } from '#proto/snipkeep/content/v1/snippet_service.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { etagOf } from '../domain/stored-data.js'
import { type ContentFixture, snippetDraft } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { grpcSnippets } from './grpc-snippets.js'

const limits = testPlanLimits
const context = { requestId: 'r', timeoutMs: 20_000 }

let fixture: ContentFixture
let server: RunningServer
let snippets: SnippetServiceClient

beforeEach(async () => {
  fixture = memoryFixture()
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startPlainServer([grpcSnippets(handlers, fixture.ports, { free: limits, pro: limits })])
  snippets = new SnippetServiceClient(
    `127.0.0.1:${server.port}`,
    plainTransport.channelCredentials('content'),
    clientOptions({}),
  )
})
afterEach(async () => {
  snippets.close()
  await server.stop()
})

it('a batch returns for each read the result or the error that its own call would have returned', async () => {
  const made = await fixture.ports.snippets.add(snippetDraft(fixture), null, null)
  if (made === null) throw new Error('no snippet')
  const { id } = made
  const reads = [
    { ownerId: 'ann', id, includeData: true, knownEtag: '' },
    { ownerId: 'bob', id, includeData: true, knownEtag: '' },
    { ownerId: 'ann', id: fixture.ports.ids.snippet(), includeData: true, knownEtag: '' },
    { ownerId: 'ann', id, includeData: true, knownEtag: etagOf(made) },
    { ownerId: 'bob', id, includeData: true, knownEtag: etagOf(made) },
    { ownerId: 'ann', id, includeData: true, knownEtag: '\0' },
  ]
  const batch = { requests: reads, requestIds: reads.map((_read, index) => `r${index}`) }
  const { results } = await callUnary(snippets, snippets.batchGetSnippets, batch, context)
  for (const [index, read] of reads.entries()) {
    const alone = await callUnary(snippets, snippets.getSnippet, read, context).catch((error) => error)
    const result = results[index]?.result
    if (result?.$case === 'failure') {
      const failure = fromFailure(result.value)
      expect(failure).toMatchObject({ kind: alone.kind, code: alone.code, message: alone.message })
    } else if (result?.$case === 'snippet') expect(alone).toEqual({ snippet: result.value, unchanged: false })
    else expect(alone).toEqual({ snippet: undefined, unchanged: true })
  }
  expect(results.map(({ result }) => result?.$case)).toEqual([
    'snippet',
    'failure',
    'failure',
    'unchanged',
    'failure',
    'snippet',
  ])
})

it('a batch of 64 of the largest snippets within a message arrives', async () => {
  const data = Buffer.alloc(65_536, 'x')
  const largest = {
    title: '字'.repeat(200),
    tags: Array.from({ length: 20 }, (_, n) => `${n}`.padStart(50, '字')),
  }
  const source = snippetDraft(fixture, largest)
  const digest = { sizeBytes: data.length, sha256: fixture.ports.hashing.sha256(data) }
  const made = await fixture.ports.snippets.add(
    { ...source, data: { kind: 'inline', bytes: data, digest } },
    null,
    null,
  )
  if (made === null) throw new Error('no snippet')
  const read = { ownerId: 'ann', id: made.id, includeData: true, knownEtag: '' }
  const requests = Array.from({ length: 64 }, () => read)
  const { results } = await callUnary(
    snippets,
    snippets.batchGetSnippets,
    { requests, requestIds: [] },
    context,
  )
  const sizes = results.map(({ result }) =>
    result?.$case === 'snippet' && result.value.data?.$case === 'inline' ? result.value.data.value.length : 0,
  )
  expect(sizes).toEqual(requests.map(() => data.length))
})

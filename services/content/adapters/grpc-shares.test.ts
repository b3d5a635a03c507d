import { afterEach, beforeEach, expect, it } from 'vitest'
import { callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { fromFailure } from '#libs/grpc/status.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { ShareServiceClient } from '#proto/snipkeep/content/v1/share_service.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { type ContentFixture, shareDraft } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { grpcShares } from './grpc-shares.js'

const limits = testPlanLimits
const context = { requestId: 'r', timeoutMs: 20_000 }

let fixture: ContentFixture
let server: RunningServer
let shares: ShareServiceClient

beforeEach(async () => {
  fixture = memoryFixture()
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startPlainServer([grpcShares(handlers, fixture.ports, { free: limits, pro: limits })])
  shares = new ShareServiceClient(`127.0.0.1:${server.port}`, plainTransport.channelCredentials('content'))
})
afterEach(async () => {
  shares.close()
  await server.stop()
})

it('a batch returns for each share the result or the error that its own call would have returned', async () => {
  const add = (expiresAt: (now: Date) => Date | null) =>
    fixture.ports.shares.add(shareDraft(fixture), expiresAt, null)
  const live = await add(() => null)
  const expired = await add((now) => new Date(now.getTime() + 60_000))
  await fixture.passTime(60_000)
  const reads = [
    { id: live.id, includeData: true },
    { id: expired.id, includeData: true },
    { id: fixture.ports.ids.share(), includeData: true },
    { id: '\0', includeData: false },
    { id: live.id, includeData: false },
  ]
  const batch = { requests: reads, requestIds: reads.map((_read, index) => `r${index}`) }
  const { results } = await callUnary(shares, shares.batchGetShares, batch, context)
  for (const [index, read] of reads.entries()) {
    const alone = await callUnary(shares, shares.getShare, read, context).catch((error) => error)
    const result = results[index]?.result
    if (result?.$case === 'failure') {
      const failure = fromFailure(result.value)
      expect(failure).toMatchObject({ kind: alone.kind, code: alone.code, message: alone.message })
    } else expect(alone).toEqual(result?.value)
  }
  const cases = results.map(({ result }) => result?.$case)
  expect(cases).toEqual(['found', 'failure', 'failure', 'failure', 'found'])
})

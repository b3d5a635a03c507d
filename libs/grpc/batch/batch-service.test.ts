import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { createLogger } from '../../log/logger.js'
import { createTestAuthority, type TestAuthority } from '../../testing/test-certificates.js'
import { callServerStream } from '../call.js'
import { type GuardedServer, guardedPath, startGuardedServer } from '../testing/guarded-server.js'
import { openTransport } from '../transport.js'

const log = createLogger('test', 'silent')
let authority: TestAuthority
let server: GuardedServer

beforeAll(async () => {
  authority = createTestAuthority()
  server = await startGuardedServer(authority.issue('content'), ['gateway'])
})
afterAll(async () => {
  await server.stop()
  authority.remove()
})

/** The results of two calls in a batch from this process. */
async function resultsFor(process: string): Promise<unknown> {
  const transport = openTransport(authority.issue(process), log)
  const client = new BatchServiceClient(`127.0.0.1:${server.port}`, transport.channelCredentials('content'))
  const call = { method: guardedPath, request: Buffer.from('?'), requestId: 'r' }
  try {
    const context = { requestId: 'r', timeoutMs: 20_000 }
    const results = []
    for await (const message of callServerStream(client, client.makeCalls, { calls: [call, call] }, context))
      results.push(...message.results.map(({ result }) => result))
    return results
  } finally {
    client.close()
    transport.close()
  }
}

it('a process may make the same calls in a batch as by themselves, and no others', async () => {
  const hello = { $case: 'response', value: Buffer.from('hello') }
  expect(await resultsFor('gateway')).toEqual([hello, hello])
  const denied = { $case: 'failure', value: { status: status.PERMISSION_DENIED, error: Buffer.alloc(0) } }
  expect(await resultsFor('billing')).toEqual([denied, denied])
})

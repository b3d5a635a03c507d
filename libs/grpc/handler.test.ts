import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { DomainError, unavailable } from '../core/domain-error.js'
import { createLogger } from '../log/logger.js'
import { grpcHandlers } from './handler.js'

/** Calls a method that fails this often, and returns the lines that are logged. */
async function failing(error: Error, calls: number): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const handle = grpcHandlers(log).unary<string, string>(() => Promise.reject(error))
  const call = { request: '', metadata: new Metadata(), getPath: () => '/Items/Get', on: () => {} }
  for (let n = 0; n < calls; n += 1)
    await new Promise((resolve) => handle(call as unknown as ServerUnaryCall<string, string>, resolve))
  return lines
}

it('logs what is down once, not with every call', async () => {
  const lines = await failing(unavailable('The database is down.', new Error('refused')), 50)
  expect(lines).toMatchObject([
    { event: 'call_failed', rpc: '/Items/Get', err: { cause: { message: 'refused' } } },
  ])
})

it('logs every call that fails for another reason', async () => {
  expect(await failing(new Error('a bug'), 3)).toHaveLength(3)
  const broken = new DomainError('conflict', 'broken', 'It is broken.', {}, { cause: new Error('corrupt') })
  expect(await failing(broken, 3)).toHaveLength(3)
})

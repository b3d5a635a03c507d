import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlainServer } from '../testing/plain-grpc-server.js'
import { examineTarget } from './examine-target.js'
import type { RunningServer } from './server.js'

let server: RunningServer
beforeAll(async () => {
  server = await startPlainServer([])
})
afterAll(() => server.stop())

const variable = 'CONTENT_GRPC_TARGET'
const seen = async (target: string) =>
  (await examineTarget({ variable, target, certificates: null })).map(
    ({ check, verdict }) => `${check}: ${verdict}`,
  )

test('a process that serves is well, by whatever form of its address', async () => {
  expect(await seen(`127.0.0.1:${server.port}`)).toEqual(['grpc content: ok'])
  expect(await seen(`ipv4:127.0.0.1:${server.port}`)).toEqual(['grpc content: ok'])
  expect(await seen(`dns:///localhost:${server.port}`)).toEqual(['grpc content: ok'])
})

test('silence is a problem that names the variable', async () => {
  const [finding] = await examineTarget({ variable, target: '127.0.0.1:1', certificates: null })
  expect(finding).toEqual({
    check: 'grpc content',
    verdict: 'problem',
    told: 'nothing serves gRPC at 127.0.0.1:1',
    remedy: 'start that process, or correct CONTENT_GRPC_TARGET',
  })
})

test('plain text beyond this machine is a warning', async () => {
  expect(await seen('dns:///nowhere.invalid:50051')).toEqual([
    'grpc content: problem',
    'grpc content: warning',
  ])
})

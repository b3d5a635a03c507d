import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlainServer } from '../testing/plain-grpc-server.js'
import { checkPlainText, checkTarget } from './check-target.js'
import type { RunningServer } from './server.js'

let server: RunningServer
beforeAll(async () => {
  server = await startPlainServer([])
})
afterAll(() => server.stop())

const variable = 'CONTENT_GRPC_TARGET'
const seen = async (target: string) =>
  (await checkTarget({ variable, target, certificates: null })).map(
    ({ check, verdict }) => `${check}: ${verdict}`,
  )

test('a serving process is ok, by any form of its address', async () => {
  expect(await seen(`127.0.0.1:${server.port}`)).toEqual(['grpc content: ok'])
  expect(await seen(`ipv4:127.0.0.1:${server.port}`)).toEqual(['grpc content: ok'])
  expect(await seen(`dns:///localhost:${server.port}`)).toEqual(['grpc content: ok'])
})

test('no response is a problem that names the variable', async () => {
  const [finding] = await checkTarget({ variable, target: '127.0.0.1:1', certificates: null })
  expect(finding).toEqual({
    check: 'grpc content',
    verdict: 'problem',
    message: 'nothing serves gRPC at 127.0.0.1:1',
    remedy: 'start that process, or fix CONTENT_GRPC_TARGET',
  })
})

const remote = {
  CONTENT_GRPC_TARGET: 'dns:///content:50051',
  IDENTITY_GRPC_TARGET: 'dns:///identity:50052',
  ACTIVITY_GRPC_TARGET: 'unix:/run/activity.sock',
}

test('plain text beyond this machine is one warning, however many targets there are', () => {
  expect(checkPlainText(remote, null)).toEqual([
    {
      check: 'plain text',
      verdict: 'warning',
      message: 'calls to dns:///content:50051, dns:///identity:50052 are in plain text',
      remedy: expect.stringContaining('keep CONTENT_GRPC_TARGET, IDENTITY_GRPC_TARGET within'),
    },
  ])
})

test('nothing is reported on this machine, nor with certificates', () => {
  expect(checkPlainText({ CONTENT_GRPC_TARGET: '127.0.0.1:50051' }, null)).toEqual([])
  expect(checkPlainText(remote, { caFile: 'ca', certFile: 'cert', keyFile: 'key' })).toEqual([])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthClient } from '#libs/grpc/health-client.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { type ApiClient, apiClient } from '../harness/api-client.js'
import { iterations } from '../harness/iterations.js'
import { quantileMs, report, startLoad } from '../harness/load.js'
import { type FrontProxy, proxyIsInstalled, startProxy } from '../harness/proxy.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'
import { until } from '../harness/until.js'

const perSecond = 200
/** One restart of each kind; in the long run every process twice, during over 20,000 requests. */
const restarts = iterations(4, 20)
const requestsMin = iterations(5_000, 20_000)
/** As in compose: long enough for the proxy to notice an unready gateway, even on a slow machine. */
const shutdownDelayMs = 3_000
const data = { text: 'x'.repeat(1_000) }
const upload = `{"tool":"json","title":"large","data":{"text":"${'y'.repeat(50 * 1024 * 1024 - 100)}"}}`

let system: TestSystem
let proxy: FrontProxy
let ann: ApiClient

async function untilReady(one: SystemProcess): Promise<void> {
  const isGateway = one.name.startsWith('gateway')
  const health = healthClient(`127.0.0.1:${one.port}`, plainTransport.channelCredentials(one.name))
  let said = ''
  const asked = async (): Promise<boolean> => {
    if (!isGateway) return health.isServing(1_000)
    const response = await fetch(`http://127.0.0.1:${one.port}/readyz`).catch(() => null)
    said = (await response?.text()) ?? 'no response'
    return response?.status === 200
  }
  const describeFailure = () => `${one.name} did not come back: ${said}\n${one.output().slice(-2_000)}`
  await until(asked, describeFailure)
  health.close()
}

describe.skipIf(!proxyIsInstalled('compose'))(
  'restarts one after another behind a proxy (needs haproxy)',
  () => {
    beforeAll(async () => {
      system = await startSystem({
        gateways: 3,
        contents: 2,
        identities: 2,
        activities: 2,
        env: { SHUTDOWN_DELAY_MS: String(shutdownDelayMs), SHUTDOWN_GRACE_MS: '60000' },
      })
      proxy = await startProxy(
        'compose',
        system.gateways.map(({ port }) => port),
      )
      await system.user('ann', 'pro')
      ann = apiClient(proxy.url, { Authorization: `Bearer ${await system.issuer.token('ann')}` })
    })
    afterAll(async () => {
      await proxy?.stop()
      await system?.stop()
    })

    it('fail no request and no upload', { timeout: 600_000 }, async () => {
      const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'read', data })).json<{
        id: string
      }>()
      const share = (await ann.post('/api/shares', { tool: 'json', title: 'shared', data })).json<{
        id: string
      }>()
      const anyone = apiClient(proxy.url)
      const load = startLoad(perSecond, {
        read: async () => (await ann.get(`/api/snippets/${id}`)).status,
        share: async () => (await anyone.get(`/api/shares/${share.id}`)).status,
        save: async () => (await ann.post('/api/snippets', { tool: 'json', title: 'saved', data })).status,
        record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
        list: async () => (await ann.get('/api/snippets?limit=2&include_data=false')).status,
        key: async () => (await ann.get('/api/keys')).status,
      })
      const { gateways, contents, identities, activities } = system
      // One of each kind before the next of any.
      const targets = [0, 1, 2].flatMap((index) =>
        [gateways, contents, identities, activities].flatMap((kind) => kind[index] ?? []),
      )
      const uploads: number[] = []
      const exits: (number | null)[] = []
      for (let round = 0; round < restarts; round += 1) {
        const one = targets[round % targets.length]
        if (one === undefined) throw new Error('there is nothing to restart')
        const uploading = ann.post('/api/snippets', upload).then(
          ({ status }) => status,
          () => 0,
        )
        await sleep(300)
        exits.push(await one.terminate())
        await one.restart()
        await untilReady(one)
        uploads.push(await uploading)
      }
      while (load.outcomes().length < requestsMin) await sleep(500)
      const outcomes = await load.stop()
      report(
        `${restarts} restarts, ${outcomes.length} requests; p50 ${Math.round(quantileMs(outcomes, 0.5))} ms, p99 ${Math.round(quantileMs(outcomes, 0.99))} ms`,
        outcomes,
      )
      const failed = /"status":(4|5)|"level":"(warn|error|fatal)"/
      for (const one of targets) {
        const lines = one
          .output()
          .split('\n')
          .filter((line) => failed.test(line) && !line.includes('/readyz'))
        if (lines.length > 0) process.stdout.write(`${one.name}:\n${lines.slice(0, 10).join('\n')}\n`)
      }
      expect(exits).toEqual(exits.map(() => 0))
      expect(uploads).toEqual(uploads.map(() => 201))
      expect(outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    })

    it('and never close an idle keep-alive connection under a request', {
      timeout: 200_000,
    }, async () => {
      // The proxy keeps a connection for 60 s and a gateway for 75 s, so the gateway never closes first.
      const turns = iterations(2, 20)
      const rest = async (): Promise<number[]> => {
        const found: number[] = []
        for (let turn = 0; turn < turns; turn += 1) {
          found.push((await apiClient(proxy.url).get('/api/plans')).status)
          await sleep(4_000 + Math.random() * 2_000)
        }
        return found
      }
      const statuses = (await Promise.all(Array.from({ length: iterations(100, 500) }, rest))).flat()
      expect(statuses).toHaveLength(turns * iterations(100, 500))
      expect(statuses.filter((status) => status !== 200)).toEqual([])
    })
  },
)

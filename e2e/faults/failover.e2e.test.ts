import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../harness/api-client.js'
import { quantileMs, report, startLoad } from '../harness/load.js'
import { type PatroniCluster, postgresBinDir, startPatroniCluster } from '../harness/patroni-cluster.js'
import type { PatroniNode } from '../harness/patroni-node.js'
import { missingPrograms } from '../harness/programs.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import { until } from '../harness/until.js'
import { within } from '../harness/within.js'

const binDir = postgresBinDir()
const missing = missingPrograms({
  ...{ patroni: '--version', etcd: '--version', haproxy: '-v' },
  // Without a folder this is the name of Debian's package, which is no program.
  [binDir === null ? 'postgresql' : `${binDir}/postgres`]: '--version',
})
const title = 'Postgres with standbys, Patroni and HAProxy'

/** A cluster starts, and is whole again, within minutes even on a busy machine. */
const patienceMs = 600_000
/** What callers are promised: the `ttl` of docs/growing.md, and what the others need to notice. */
const writesAgainMs = 25_000
const expected = new Set([200, 201, 503, 504])
const body = (name: string) => ({ tool: 'json', title: name, data: { text: name.repeat(20) } })

describe.runIf(missing.length === 0)(
  missing.length === 0 ? title : `${title} (needs ${missing.join(', ')})`,
  { timeout: patienceMs },
  () => {
    let cluster: PatroniCluster
    let system: TestSystem
    let ann: ApiClient
    let snippetId: string

    beforeAll(async () => {
      cluster = await startPatroniCluster(binDir ?? '')
      system = await startSystem({ serverUrl: cluster.url })
      ann = await system.user('ann', 'pro')
      snippetId = (await ann.post('/api/snippets', body('first'))).json<{ id: string }>().id
    }, patienceMs)
    afterAll(async () => {
      await system?.stop()
      await cluster?.stop()
    })

    /** Requests, of which the paths of what was acknowledged are kept with its title. */
    function requests(kept: Map<string, string>) {
      const create = async (plural: string): Promise<number> => {
        const name = `${plural} ${Math.random()}`
        const response = await ann.post(`/api/${plural}`, body(name))
        if (response.status === 201) kept.set(`/api/${plural}/${response.json<{ id: string }>().id}`, name)
        return response.status
      }
      return {
        save: () => create('snippets'),
        read: async () => (await ann.get(`/api/snippets/${snippetId}`)).status,
        share: () => create('shares'),
        record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
      }
    }

    const pids = (): readonly number[] => system.processes.map(({ pid }) => pid)

    /** Under load, the primary suffers; afterwards it is healed, and everything acknowledged must be there. */
    async function survives(
      suffer: (primary: PatroniNode) => Promise<void>,
      heal: (before: PatroniNode) => Promise<void> = async () => {},
    ): Promise<void> {
      await cluster.untilWhole()
      const running = pids()
      const kept = new Map<string, string>()
      const load = startLoad(20, requests(kept))
      await until(async () => kept.size > 20)
      const before = await cluster.primary()
      await suffer(before)
      const from = performance.now()
      await within(writesAgainMs, 201, async () => (await ann.post('/api/snippets', body('again'))).status)
      const outageMs = performance.now() - from
      await heal(before)
      await cluster.untilWhole()
      const outcomes = await load.stop()
      report(
        `${before.name} was the primary; writes again after ${Math.round(outageMs)} ms; ${kept.size} acknowledged; slowest ${Math.round(quantileMs(outcomes, 1))} ms`,
        outcomes,
      )
      expect(await cluster.primary()).not.toBe(before)
      expect(outcomes.filter(({ status }) => !expected.has(status))).toEqual([])
      const lost: string[] = []
      for (const [path, name] of kept) {
        const found = await ann.get(path)
        if (found.status !== 200 || found.json().title !== name) lost.push(`${path} ${found.status}`)
      }
      expect(lost).toEqual([])
      expect(pids()).toEqual(running)
      for (const pid of running) expect(() => process.kill(pid, 0)).not.toThrow()
    }

    it('a switchover loses nothing acknowledged', () => survives(() => cluster.switchOver()))

    it('a crash of the primary loses nothing acknowledged', () =>
      survives(
        async (primary) => primary.kill(),
        (before) => before.restart(),
      ))

    it('a primary that freezes, and wakes up when there is another, loses nothing acknowledged', () =>
      survives(
        async (primary) => primary.freeze(),
        async (before) => before.thaw(),
      ))
  },
)

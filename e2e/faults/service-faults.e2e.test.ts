import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../harness/api-client.js'
import { isLong, iterations } from '../harness/iterations.js'
import { quantileMs, type Requests, report, startLoad } from '../harness/load.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

const data = { text: 'x'.repeat(500) }
const goneMs = iterations(2_500, 60_000)
/** Longer than a call's timeout, so that the first calls time out and the breaker rejects the others. */
const hangingMs = iterations(12_500, 60_000)

let system: TestSystem
let ann: ApiClient
let requests: Requests

beforeAll(async () => {
  system = await startSystem({ payments: {} })
  ann = await system.user('ann', 'pro')
  const anyone = system.anyone()
  const make = async (path: string) =>
    (await ann.post(path, { tool: 'json', title: 'made', data })).json<{ id: string }>().id
  const [snippet, share] = [await make('/api/snippets'), await make('/api/shares')]
  const statusOf = async (response: Promise<{ status: number }>): Promise<number> => (await response).status
  requests = {
    share: () => statusOf(anyone.get(`/api/shares/${share}`)),
    plans: () => statusOf(anyone.get('/api/plans')),
    read: () => statusOf(ann.get(`/api/snippets/${snippet}`)),
    save: () => statusOf(ann.post('/api/snippets', { tool: 'json', title: 'saved', data })),
    history: () => statusOf(ann.get('/api/history?limit=2')),
    keys: () => statusOf(ann.get('/api/keys')),
    subscription: () => statusOf(ann.get('/api/subscription')),
    ready: () => statusOf(anyone.get('/readyz')),
  }
})
afterAll(() => system?.stop())

/** A process that fails, and what fails with it; everything else must keep working. */
const parts: readonly {
  readonly name: string
  readonly pick: () => SystemProcess | undefined
  readonly affected: readonly string[]
}[] = [
  { name: 'content', pick: () => system.contents[0], affected: ['share', 'read', 'save'] },
  { name: 'activity', pick: () => system.activities[0], affected: ['history'] },
  { name: 'billing', pick: () => system.payments?.billings[0], affected: ['subscription'] },
  {
    name: 'identity',
    pick: () => system.identities[0],
    affected: ['read', 'save', 'history', 'keys', 'subscription'],
  },
]

const failed = ({ status }: { status: number }): boolean => status !== 200 && status !== 201

describe.each(parts)('without $name', ({ name, pick, affected }) => {
  async function whileGone(
    how: string,
    downMs: number,
    go: () => Promise<void>,
    back: () => Promise<void>,
  ): Promise<void> {
    const load = startLoad(80, requests)
    await go()
    await sleep(downMs)
    await back()
    const returned = performance.now()
    const probe = requests[affected[0] ?? ''] ?? (async () => 0)
    while (failed({ status: await probe() })) await sleep(50)
    const missedMs = performance.now() - returned
    const outcomes = await load.stop()
    const refused = outcomes.filter((outcome) => affected.includes(outcome.name) && failed(outcome))
    report(
      `${name} ${how} for ${downMs} ms: ${refused.length} refusals, p50 ${quantileMs(refused, 0.5).toFixed(1)} ms, p99 ${quantileMs(refused, 0.99).toFixed(1)} ms; well again ${Math.round(missedMs)} ms after its return`,
      outcomes,
    )
    expect(outcomes.filter((outcome) => !affected.includes(outcome.name) && failed(outcome))).toEqual([])
    expect(refused.length).toBeGreaterThan(10)
    expect([...new Set(refused.map(({ status }) => status))].filter((s) => s !== 503 && s !== 504)).toEqual(
      [],
    )
    expect(missedMs).toBeLessThan(10_000)
  }

  it('only its own routes fail, with a clear error', async () => {
    const one = pick()
    await whileGone(
      'gone',
      goneMs,
      async () => one?.kill(),
      async () => one?.restart(),
    )
  })

  // Each takes as long as the hang, so a normal run tests only one.
  it.runIf(isLong || name === 'content')(
    'hanging: no other route fails, and its own say so, at once when it is known',
    async () => {
      const { pid = 0 } = pick() ?? {}
      await whileGone(
        'hanging',
        hangingMs,
        async () => void process.kill(pid, 'SIGSTOP'),
        async () => void process.kill(pid, 'SIGCONT'),
      )
    },
  )
})

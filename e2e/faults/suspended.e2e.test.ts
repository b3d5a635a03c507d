import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../harness/api-client.js'
import { isLong, iterations } from '../harness/iterations.js'
import { type Requests, report, startLoad } from '../harness/load.js'
import { makeShare } from '../harness/make-share.js'
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

/** Longer than Postgres waits for an idle transaction (10 s), and than any call's timeout. */
const suspendedMs = iterations(12_000, 25_000)
/** So few that the system can hold all their connections until they are accepted. */
const perSecond = iterations(30, 15)
const small = { text: 'x'.repeat(500) }
/** Large enough to be sent in chunks and stored as a document. */
const large = { text: 'y'.repeat(300_000) }

let postgres: OwnPostgres
let system: TestSystem
let ann: ApiClient
let requests: Requests
const kept = new Map<string, string>()

beforeAll(async () => {
  postgres = await startOwnPostgres()
  system = await startSystem({ serverUrl: postgres.url })
  ann = await system.user('ann', 'pro')
  const anyone = system.anyone()
  const snippet = (await ann.post('/api/snippets', { tool: 'json', title: 'first', data: small })).json<{
    id: string
  }>()
  const shared = await makeShare(ann, { data: small })
  let made = 0
  const keep = async (path: string, data: object): Promise<number> => {
    made += 1
    const title = `saved ${made}`
    const response = await ann.post(path, { tool: 'json', title, data })
    if (response.status === 201) kept.set(`${path}/${response.json<{ id: string }>().id}`, title)
    return response.status
  }
  requests = {
    save: () => keep('/api/snippets', small),
    large: () => keep('/api/shares', large),
    read: async () => (await ann.get(`/api/snippets/${snippet.id}`)).status,
    list: async () => (await ann.get('/api/snippets?limit=5')).status,
    record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
    keys: async () => (await ann.get('/api/keys')).status,
    page: async () => (await anyone.get(`/s/${shared.id}`)).status,
  }
})
afterAll(async () => {
  postgres?.thaw()
  await system?.stop()
  await postgres?.remove()
})

const expected = new Set([200, 201, 503, 504])

/** The processes that are suspended; the callers run on other machines in reality. */
const suspensions: readonly {
  readonly what: string
  readonly pick: () => readonly SystemProcess[]
  readonly withPostgres: boolean
}[] = [
  { what: 'every process of ours', pick: () => system.processes, withPostgres: false },
  { what: 'the whole machine', pick: () => system.processes, withPostgres: true },
  { what: 'the gateway', pick: () => system.gateways, withPostgres: false },
]

// Each takes as long as the suspension, so a normal run tests the most revealing one.
describe.each(suspensions)('suspended: $what', ({ what, pick, withPostgres }) => {
  it.runIf(isLong || what === 'every process of ours')(
    'it continues as before, and what could not be done in time is reported as such',
    async ({ skip }) => {
      skip(withPostgres && process.platform !== 'linux', 'needs Linux: Postgres is frozen by way of /proc')
      kept.clear()
      const load = startLoad(perSecond, requests)
      await sleep(1_000)
      const pids = pick().map(({ pid }) => pid)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      if (withPostgres) postgres.freeze()
      await sleep(suspendedMs)
      if (withPostgres) postgres.thaw()
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      const wokenAt = performance.now()
      let well = 0
      while (well < 20) well = (await requests.save?.()) === 201 ? well + 1 : 0
      const wellMs = Math.round(performance.now() - wokenAt)
      const outcomes = await load.stop()
      report(`${what} for ${suspendedMs} ms: well again ${wellMs} ms later`, outcomes)
      expect(outcomes.filter(({ status }) => !expected.has(status))).toEqual([])
      for (const [path, title] of kept) expect((await ann.get(path)).json()).toMatchObject({ title })
    },
  )
})

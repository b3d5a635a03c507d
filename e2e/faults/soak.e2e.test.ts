import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLong } from '../harness/iterations.js'
import { report, startLoad } from '../harness/load.js'
import { makeShare } from '../harness/make-share.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

const mebibyte = 1_048_576
/** For two hours: `SOAK_SECONDS=7200 npm run test:long`. */
const seconds = Number(process.env.SOAK_SECONDS ?? 300)

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  if (!isLong) return
  const collector = new URL('../harness/collect-garbage.mjs', import.meta.url).href
  system = await startSystem({
    // Limits that are counted but never reached.
    env: { RATE_LIMIT_STANDARD: '10000/60' },
    processEnv: () => ({ NODE_OPTIONS: `--import=${collector}` }),
  })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

interface Reading {
  readonly atSeconds: number
  readonly descriptors: number
  readonly residentBytes: number
}

/**
 * Memory after a full garbage collection. Without one, a process with little to do takes hours to fill its
 * heap before it collects, and grows all the time.
 */
async function readKept(one: SystemProcess, atSeconds: number): Promise<Reading> {
  await one.ask('collect')
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one.pid}/status`, 'utf8'))?.[1]
  return {
    atSeconds,
    descriptors: readdirSync(`/proc/${one.pid}/fd`).length,
    residentBytes: Number(resident ?? 0) * 1_024,
  }
}

interface Trend {
  readonly slope: number
  /** The standard error of the slope. */
  readonly error: number
}

/** The growth of retained memory in MiB per hour: the slope of a least-squares fit. */
function trend(readings: readonly Reading[]): Trend {
  const points = readings.map(({ atSeconds, residentBytes }) => ({
    hours: atSeconds / 3_600,
    mebibytes: residentBytes / mebibyte,
  }))
  const total = (of: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0)
  const hours = total((point) => point.hours) / points.length
  const mebibytes = total((point) => point.mebibytes) / points.length
  const spread = total((point) => (point.hours - hours) ** 2)
  const slope = total((point) => (point.hours - hours) * (point.mebibytes - mebibytes)) / spread
  const rest = total((point) => (point.mebibytes - mebibytes - slope * (point.hours - hours)) ** 2)
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) }
}

/** The allowed responses to each request of the mix; what is read may have just been deleted. */
const wanted: Readonly<Record<string, readonly number[]>> = {
  save: [201],
  large: [201],
  read: [200, 404],
  list: [200],
  record: [201],
  visit: [200],
  page: [200],
  remove: [200, 404],
  refused: [400],
}

/** Warnings and errors that a process logged; hours later they could not be found otherwise. */
function complaintsOf({ name, output }: SystemProcess): string {
  const lines = output().split('\n')
  const wrong = lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))
  return `${wrong.length} complaints of ${name}\n${wrong.slice(0, 50).join('\n')}\n`
}

async function sessions(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'snipkeep-%'`,
  )
  return rows[0]?.count ?? 0
}

// Takes minutes to show anything: only in the long run.
it.runIf(isLong)(
  'sustained load leaks no descriptors, sessions or memory',
  {
    timeout: (seconds + 120) * 1_000,
  },
  async ({ skip }) => {
    skip(process.platform !== 'linux', 'needs Linux: it looks into /proc')
    let ann = await system.user('ann', 'pro')
    // So many that a gateway has evicted each before its next use, which keeps identity busy.
    const signIn = () => Promise.all(Array.from({ length: 100 }, (_, n) => system.user(`visitor ${n}`)))
    let visitors = await signIn()
    let visits = 0
    const anyone = system.anyone()
    const data = { text: 'x'.repeat(2_000) }
    const large = { text: 'y'.repeat(300_000) }
    const body = (what: object) => ({ tool: 'json', title: 'soaked', data: what })
    const made: string[] = []
    const shared = await makeShare(ann, { data })
    const load = startLoad(50, {
      save: async () => {
        const response = await ann.post('/api/snippets', body(data))
        if (response.status === 201) made.push(response.json<{ id: string }>().id)
        return response.status
      },
      large: async () => (await ann.post('/api/shares', body(large))).status,
      read: async () => (await ann.get(`/api/snippets/${made.at(-1) ?? 'none'}`)).status,
      list: async () => (await ann.get('/api/snippets')).status,
      record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
      visit: async () => {
        visits += 1
        return (await visitors[visits % visitors.length]?.get('/api/auth/profile'))?.status ?? 0
      },
      page: async () => (await anyone.get(`/s/${shared.id}`)).status,
      remove: async () => (await ann.delete(`/api/snippets/${made.shift() ?? 'none'}`)).status,
      refused: async () => (await ann.post('/api/snippets', '{"broken')).status,
    })
    const { gateways, contents, identities, activities, web } = system
    const processes = [...gateways, ...contents, ...identities, ...activities, web]
    const warmUp = Math.min(1_800, seconds / 3)
    const step = Math.max(15, seconds / 72)
    await sleep(warmUp * 1_000)
    const sessionsBefore = await sessions()
    const readings = processes.map((): Reading[] => [])
    const startedAt = performance.now()
    let signedInAt = 0
    for (let passed = warmUp; passed <= seconds; passed += step) {
      for (const [index, one] of processes.entries()) readings[index]?.push(await readKept(one, passed))
      // A token lives for an hour.
      if (passed - signedInAt >= 1_800) {
        ann = await system.user('ann')
        visitors = await signIn()
        signedInAt = passed
      }
      await sleep(Math.max(0, startedAt + (passed + step - warmUp) * 1_000 - performance.now()))
    }
    const outcomes = await load.stop()
    const grown = processes.map(({ name }, index) => {
      const all = readings[index] ?? []
      const [first, last] = [all.at(0), all.at(-1)]
      return {
        name,
        descriptors: (last?.descriptors ?? 0) - (first?.descriptors ?? 0),
        mebibytes: Math.round(((last?.residentBytes ?? 0) - (first?.residentBytes ?? 0)) / mebibyte),
        kept: all.map(({ residentBytes }) => Math.round(residentBytes / mebibyte)),
        ...trend(all),
      }
    })
    report(`${seconds} s of mixed work, growth (slope in MiB an hour) ${JSON.stringify(grown)}`, outcomes)
    const unwanted = outcomes.filter(({ name, status }) => !wanted[name]?.includes(status))
    if (unwanted.length > 0) for (const one of processes) process.stdout.write(complaintsOf(one))
    expect(unwanted).toEqual([])
    expect((await sessions()) - sessionsBefore).toBeLessThanOrEqual(10)
    for (const { descriptors, mebibytes, slope, error } of grown) {
      expect(descriptors).toBeLessThanOrEqual(20)
      expect(mebibytes).toBeLessThan(64)
      // In less time caches are still growing to their limits.
      if (seconds >= 7_200) expect(slope - 2 * error).toBeLessThanOrEqual(1)
    }
    for (const one of processes) expect(one.output()).not.toContain('MaxListenersExceededWarning')
  },
)

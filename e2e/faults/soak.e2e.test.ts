import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLong } from '../harness/effort.js'
import { report, startLoad } from '../harness/load.js'
import { makeShare } from '../harness/make-share.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

const mebibyte = 1_048_576
/** Two hours want `SOAK_SECONDS=7200 npm run test:long`. */
const seconds = Number(process.env.SOAK_SECONDS ?? 300)

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  if (!isLong) return
  // Limits that count, and that nobody reaches.
  system = await startSystem({ env: { RATE_LIMIT_STANDARD: '10000/60' } })
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

function read({ pid }: SystemProcess, atSeconds: number): Reading {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    atSeconds,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    residentBytes: Number(resident ?? 0) * 1_024,
  }
}

/** The least memory that was held within each twelfth of the time: what is left when garbage has been collected. */
function floors(readings: readonly Reading[]): readonly Reading[] {
  const size = Math.ceil(readings.length / 12)
  return Array.from({ length: Math.ceil(readings.length / size) }, (_, index) =>
    readings
      .slice(index * size, (index + 1) * size)
      .reduce((least, one) => (one.residentBytes < least.residentBytes ? one : least)),
  )
}

interface Trend {
  readonly slope: number
  /** The standard error of the slope: how far chance alone may carry it. */
  readonly error: number
}

/** Mebibytes an hour by which the floor of the memory rises: a line through it by least squares. */
function trend(readings: readonly Reading[]): Trend {
  const points = floors(readings).map(({ atSeconds, residentBytes }) => ({
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

/** What each request of the mixture may be answered with; what is read may have been removed just before. */
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

async function sessions(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'snipkeep-%'`,
  )
  return rows[0]?.count ?? 0
}

// Minutes at least, or it shows nothing: only in the long run.
it.runIf(isLong)(
  'work that goes on and on leaves no descriptor, no session and no memory behind',
  {
    timeout: (seconds + 120) * 1_000,
  },
  async () => {
    let ann = await system.user('ann', 'pro')
    // So many that a gateway has forgotten each before it comes again: identity has something to do.
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
        const answer = await ann.post('/api/snippets', body(data))
        if (answer.status === 201) made.push(answer.json<{ id: string }>().id)
        return answer.status
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
    const processes = [...system.gateways, ...system.contents, ...system.identities, ...system.activities]
    const warmUp = Math.min(1_800, seconds / 3)
    await sleep(warmUp * 1_000)
    const sessionsBefore = await sessions()
    const readings = processes.map((): Reading[] => [])
    for (let passed = warmUp; passed <= seconds; passed += 5) {
      for (const [index, one] of processes.entries()) readings[index]?.push(read(one, passed))
      // A token lives for an hour.
      if (passed % 1_800 < 5) {
        ann = await system.user('ann')
        visitors = await signIn()
      }
      await sleep(5_000)
    }
    const outcomes = await load.stop()
    const grown = processes.map(({ name }, index) => {
      const all = readings[index] ?? []
      const [first, last] = [all.at(0), all.at(-1)]
      return {
        name,
        descriptors: (last?.descriptors ?? 0) - (first?.descriptors ?? 0),
        mebibytes: Math.round(((last?.residentBytes ?? 0) - (first?.residentBytes ?? 0)) / mebibyte),
        floor: floors(all).map(({ residentBytes }) => Math.round(residentBytes / mebibyte)),
        ...trend(all),
      }
    })
    report(`${seconds} s of mixed work, growth (slope in MiB an hour) ${JSON.stringify(grown)}`, outcomes)
    expect(outcomes.filter(({ name, status }) => !wanted[name]?.includes(status))).toEqual([])
    expect((await sessions()) - sessionsBefore).toBeLessThanOrEqual(10)
    for (const { descriptors, mebibytes, slope, error } of grown) {
      expect(descriptors).toBeLessThanOrEqual(20)
      expect(mebibytes).toBeLessThan(64)
      // In less time the line says more about when garbage was collected than about what was kept.
      if (seconds >= 7_200) expect(slope - 2 * error).toBeLessThanOrEqual(1)
    }
    for (const one of processes) expect(one.output()).not.toContain('MaxListenersExceededWarning')
  },
)

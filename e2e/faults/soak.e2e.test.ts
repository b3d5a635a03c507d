import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLong } from '../harness/effort.js'
import { report, startLoad } from '../harness/load.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

const mebibyte = 1_048_576
/** Two hours want `SOAK_SECONDS=7200 npm run test:long`. */
const seconds = Number(process.env.SOAK_SECONDS ?? 300)

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  if (!isLong) return
  system = await startSystem()
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

/** Mebibytes an hour by which the floor of the memory rises: the slope of a line through it by least squares. */
function slope(readings: readonly Reading[]): number {
  const points = floors(readings)
  const mean = (of: (reading: Reading) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [time, bytes] = [mean((point) => point.atSeconds), mean((point) => point.residentBytes)]
  const products = points.map((point) => (point.atSeconds - time) * (point.residentBytes - bytes))
  const squares = points.map((point) => (point.atSeconds - time) ** 2)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return ((sum(products) / sum(squares)) * 3_600) / mebibyte
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
    const ann = await system.user('ann', 'pro')
    const data = { text: 'x'.repeat(2_000) }
    const large = { text: 'y'.repeat(300_000) }
    const body = (what: object) => ({ tool: 'json', title: 'soaked', data: what })
    const made: string[] = []
    const load = startLoad(50, {
      save: async () => {
        const answer = await ann.post('/api/snippets', body(data))
        made.push(answer.json<{ id: string }>().id)
        return answer.status
      },
      large: async () => (await ann.post('/api/shares', body(large))).status,
      read: async () => (await ann.get(`/api/snippets/${made.at(-1) ?? 'none'}`)).status,
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
        slope: Math.round(slope(all) * 10) / 10,
      }
    })
    report(`${seconds} s of mixed work, growth (slope in MiB an hour) ${JSON.stringify(grown)}`, outcomes)
    const unexpected = outcomes.filter(
      ({ name, status }) => status >= 500 || status === 0 || (name === 'refused' && status !== 400),
    )
    expect(unexpected).toEqual([])
    expect((await sessions()) - sessionsBefore).toBeLessThanOrEqual(10)
    for (const { descriptors, mebibytes } of grown) {
      expect(descriptors).toBeLessThanOrEqual(20)
      expect(mebibytes).toBeLessThan(64)
    }
  },
)

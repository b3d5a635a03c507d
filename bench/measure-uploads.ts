import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../e2e/harness/quantile.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { SystemProcess } from '../e2e/harness/system-process.js'
import { readUntil } from './read-until.js'
import { smallBody } from './small-requests.js'
import type { UploadOrder } from './upload-sender.js'

/** The probe's measurements inside a process. */
interface Reading {
  readonly rssBytes: number
  readonly peakBytes: number
  readonly delayMaxMs: number
  readonly delayP99Ms: number
}

/** One process during a measurement. */
export interface ProcessFigures {
  readonly process: string
  readonly grownMb: number
  readonly delayMaxMs: number
  readonly delayP99Ms: number
}

/** The effect of a load on the system, and on readers. */
export interface LoadFigures {
  readonly load: string
  readonly statuses: readonly number[]
  readonly seconds: number
  readonly processes: readonly ProcessFigures[]
  readonly reads: {
    readonly count: number
    readonly failed: number
    readonly p99Ms: number
    readonly maxMs: number
  }
}

const mebibyte = 1024 * 1024

const ask = async (one: SystemProcess, message: 'reset' | 'read'): Promise<Reading> =>
  (await one.ask(message)) as Reading

/** Uploads this body `count` times in parallel, from its own process; returns the statuses. */
function uploadElsewhere(url: string, token: string, load: string, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const sender = fork('bench/upload-sender.ts', [], {
      execArgv: ['--conditions=snipkeep-source', '--import', 'tsx'],
    })
    sender.once('message', (statuses) => resolve(statuses as number[]))
    sender.once('error', reject)
    sender.once('exit', () => reject(new Error('the sender of the uploads ended early')))
    sender.send({ url, token, load, count } satisfies UploadOrder)
  })
}

/** Runs `count` uploads of the same body in parallel while reading a small snippet repeatedly. */
export async function measureUploads(system: TestSystem, load: string, count: number): Promise<LoadFigures> {
  const token = await system.issuer.token('bench')
  const pro = await system.user('bench', 'pro')
  const small = await pro.post('/api/snippets', smallBody(0))
  const smallUrl = `${system.baseUrl()}/api/snippets/${small.json<{ id: string }>().id}`
  const watched = [system.gateways[0], system.contents[0]].filter((one) => one !== undefined)

  let stopped = false
  const reading = readUntil(() => stopped, [{ url: smallUrl, token }])
  await sleep(500)
  const before = await Promise.all(watched.map((one) => ask(one, 'reset')))
  const startedAt = performance.now()
  const url = `${system.baseUrl()}/api/snippets`
  const statuses = await uploadElsewhere(url, token, load, count)
  const seconds = (performance.now() - startedAt) / 1_000
  const after = await Promise.all(watched.map((one) => ask(one, 'read')))
  stopped = true
  const [{ latencies, failed } = { latencies: [], failed: 0 }] = await reading
  return {
    load,
    statuses,
    seconds,
    processes: watched.map((one, index) => ({
      process: one.name,
      grownMb: ((after[index]?.peakBytes ?? 0) - (before[index]?.rssBytes ?? 0)) / mebibyte,
      delayMaxMs: after[index]?.delayMaxMs ?? 0,
      delayP99Ms: after[index]?.delayP99Ms ?? 0,
    })),
    reads: {
      count: latencies.length,
      failed,
      p99Ms: quantile(latencies, 0.99),
      maxMs: Math.max(...latencies),
    },
  }
}

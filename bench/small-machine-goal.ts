import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { call, type StartedSystem, startAsUsers } from '../e2e/harness/started-system.js'
import type { Bench } from './bench.js'
import { type Confinement, confine } from './confined.js'
import type { GoalFigure } from './goal.js'
import { memoryOfTree, processTree } from './idle-processes.js'
import { raisedLimits, smallBody } from './small-requests.js'
import { countStatuses, type StatusRequest } from './status-load.js'
import type { UploadOrder } from './upload-sender.js'

const gigabyte = 1_024 ** 3
const readsMin = 1_000
const createsMin = 200
/** Each of the phases, in turns: reads, creates, and far too much of everything. */
const phaseSeconds = { quick: 5, usual: 20, long: 60 }
const hourMs = 3_600_000
/** The statuses with which a request may be refused, in addition to the expected one. */
const refusals = [429, 503]

interface Requests {
  readonly reads: readonly StatusRequest[]
  readonly creates: readonly StatusRequest[]
  readonly upload: Pick<UploadOrder, 'url' | 'token'>
}

async function prepare({ url, token }: StartedSystem): Promise<Requests> {
  const pro = await token('pro')
  const headers = { Authorization: `Bearer ${pro}`, 'Content-Type': 'application/json' }
  const create: StatusRequest = {
    ...{ method: 'POST', url: `${url}/api/snippets`, headers, body: JSON.stringify(smallBody(0)) },
  }
  const { method, body = '' } = create
  const reads: StatusRequest[] = []
  while (reads.length < 100) {
    const { id } = await call(create.url, 201, { method, headers, body })
    reads.push({ method: 'GET', url: `${url}/api/snippets/${id}`, headers })
  }
  return { reads, creates: [create], upload: { url: create.url, token: pro } }
}

/** The statuses of eight uploads of 50 MB at once; a broken connection is an error. */
function uploadEight(upload: Requests['upload']): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const execArgv = ['--conditions=snipkeep-source', '--import', 'tsx']
    const sender = fork('bench/upload-sender.ts', [], { execArgv })
    sender.once('message', (statuses) => resolve(statuses as number[]))
    sender.once('error', reject)
    sender.once('exit', () => reject(new Error('the sender of the uploads ended early')))
    sender.send({ ...upload, load: 'empty objects', count: 8 } satisfies UploadOrder)
  })
}

/** The results of all phases so far. */
interface Totals {
  readonly seconds: { reads: number; creates: number }
  readonly done: { reads: number; creates: number }
  /** How long each request took, in nanoseconds. */
  readonly latencies: { reads: RecordableHistogram; creates: RecordableHistogram }
  /** Responses that were neither right nor a refusal. */
  wrong: number
  refused: number
}

function add(totals: Totals, statuses: Iterable<readonly [status: number, count: number]>): number {
  let done = 0
  for (const [status, count] of statuses) {
    if (status === 200 || status === 201) done += count
    else if (refusals.includes(status)) totals.refused += count
    else totals.wrong += count
  }
  return done
}

async function goThroughPhases(requests: Requests, seconds: number, totals: Totals): Promise<void> {
  const until = (): (() => boolean) => {
    const end = performance.now() + seconds * 1_000
    return () => performance.now() >= end
  }
  for (const kind of ['reads', 'creates'] as const) {
    const startedAt = performance.now()
    const statuses = await countStatuses(requests[kind], 64, until(), totals.latencies[kind])
    totals.seconds[kind] += (performance.now() - startedAt) / 1_000
    totals.done[kind] += add(totals, statuses)
  }
  const both = [...requests.reads, ...requests.creates]
  const [statuses, uploads] = await Promise.all([
    countStatuses(both, 512, until()),
    uploadEight(requests.upload),
  ])
  add(totals, statuses)
  add(
    totals,
    uploads.map((status) => [status, 1]),
  )
}

/** The processes that have to be there in the end as well; sessions of the database come and go. */
async function lasting(root: number): Promise<readonly string[]> {
  const pids = await processTree(root)
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'postgres: ended meanwhile')),
  )
  return pids.filter((_, index) => !/^postgres: (?!checkpointer)/.test(lines[index] ?? ''))
}

interface Outcome {
  readonly totals: Totals
  readonly memoryMb: number
  /** Processes that are gone, and those that the kernel has ended. */
  readonly gone: number
}

/** Goes through the phases until `endAt`, once at least, and has a look at the processes after each time. */
async function run(confinement: Confinement, seconds: number, endAt: number): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-small-'))
  try {
    const system = await startAsUsers(dataDir, { env: raisedLimits, command: confinement.command })
    try {
      const requests = await prepare(system)
      const before = await lasting(system.pid)
      const totals: Totals = {
        ...{ seconds: { reads: 0, creates: 0 }, done: { reads: 0, creates: 0 } },
        latencies: { reads: createHistogram(), creates: createHistogram() },
        ...{ wrong: 0, refused: 0 },
      }
      let memoryMb = 0
      do {
        await goThroughPhases(requests, seconds, totals)
        memoryMb = Math.max(memoryMb, (await memoryOfTree(system.pid)).totalMb)
      } while (performance.now() < endAt)
      const after = new Set(await lasting(system.pid))
      const missing = before.filter((pid) => !after.has(pid)).length
      return { totals, memoryMb, gone: Math.max(missing, await confinement.killed()) }
    } finally {
      await system.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function figuresOf({ totals, memoryMb, gone }: Outcome, boundsMemory: boolean): readonly GoalFigure[] {
  const reads = totals.done.reads / totals.seconds.reads
  const creates = totals.done.creates / totals.seconds.creates
  const where = boundsMemory ? '1 core, 1 GB' : '1 core'
  const common = { floor: null, ratio: null }
  const p99Ms = (kind: keyof Totals['latencies']): number => totals.latencies[kind].percentile(99) / 1e6
  return [
    {
      ...{ ...common, name: `reads, ${where}`, unit: 'requests/s', measured: reads },
      goal: `≥ ${readsMin.toLocaleString('en-US')}, or ${createsMin} creates/s`,
      holds: reads >= readsMin || creates >= createsMin,
      details: { 'creates/s': creates, refused: totals.refused },
    },
    {
      ...{ ...common, name: `reads, ${where}: p99`, unit: 'ms', measured: p99Ms('reads') },
      ...{ goal: 'none', holds: true, details: { 'creates p99 ms': p99Ms('creates') } },
    },
    {
      ...{ ...common, name: `processes ended, ${where}`, unit: 'processes', measured: gone },
      ...{ goal: '≤ 0', holds: gone === 0 },
    },
    {
      ...{ ...common, name: `neither right nor refused, ${where}`, unit: 'responses' },
      ...{ measured: totals.wrong, goal: '≤ 0', holds: totals.wrong === 0 },
    },
    {
      ...{ ...common, name: `memory after a load, ${where}`, unit: 'MB', measured: memoryMb },
      ...{ goal: '≤ 1024 MB', holds: memoryMb <= 1_024 },
    },
  ]
}

/** What one core and 1 GB are enough for, and that too much for them is refused and ends no process; an hour with `--long`. */
export const smallMachineGoal: Bench = {
  name: 'small-machine',
  async measure({ quick, long }) {
    const confinement = await confine(gigabyte)
    try {
      const seconds = long ? phaseSeconds.long : quick ? phaseSeconds.quick : phaseSeconds.usual
      const outcome = await run(confinement, seconds, performance.now() + (long ? hourMs : 0))
      return figuresOf(outcome, confinement.boundsMemory)
    } finally {
      await confinement.remove()
    }
  },
}

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { startSystem, type TestSystem } from '../e2e/harness/system.js'
import { readGoal } from './read-goal.js'
import { runBenches } from './run-benches.js'
import { shareGoal } from './share-goal.js'
import { type Cost, measureRefusals, type RefusalFigures, refusalsRate } from './refusals.js'
import { measureSharePages, type PageFigures } from './share-page.js'
import { measureTelemetry } from './telemetry.js'
import { uploadBodies } from './upload-bodies.js'
import { type LoadFigures, measureUploads } from './uploads.js'

const grownMbMax = 160
const delayMsMax = 50
/** In processor time, against an answer of `node:http` alone. */
const refusalShareMax = 3
/** In processor time of everything, the database too, against the answer that a refusal stands for. */
const refusalRatioMin = 10

function printFigures({ load, statuses, seconds, processes, reads }: LoadFigures): void {
  console.log(`\n${load}: ${statuses.join(' ')} in ${seconds.toFixed(1)} s`)
  for (const one of processes) {
    console.log(
      `  ${one.process.padEnd(10)} memory +${one.grownMb.toFixed(0)} MB   event loop max ${one.delayMaxMs.toFixed(1)} ms, p99 ${one.delayP99Ms.toFixed(1)} ms`,
    )
  }
  console.log(
    `  small reads meanwhile: ${reads.count}, ${reads.failed} failed, p99 ${reads.p99Ms.toFixed(1)} ms, max ${reads.maxMs.toFixed(1)} ms`,
  )
}

function holds({ load, statuses, processes, reads }: LoadFigures): boolean {
  const expected = load === 'a million levels' ? 400 : 201
  return (
    statuses.every((status) => status === expected) &&
    reads.failed === 0 &&
    processes.every(({ grownMb, delayMaxMs }) => grownMb <= grownMbMax && delayMaxMs <= delayMsMax)
  )
}

/** Four uploads of 50 MB at once, of every shape; whether all bounds hold. */
async function uploads(system: TestSystem): Promise<boolean> {
  const results: LoadFigures[] = []
  for (const name of Object.keys(uploadBodies(0))) {
    const figures = await measureUploads(system, name, 4)
    printFigures(figures)
    results.push(figures)
  }
  const missed = results.filter((figures) => !holds(figures)).map(({ load }) => load)
  console.log(
    missed.length === 0
      ? `\nuploads: all bounds hold: at most ${grownMbMax} MB more memory and ${delayMsMax} ms of blocked event loop.`
      : `\nuploads: missed by ${missed.join(', ')} (at most ${grownMbMax} MB and ${delayMsMax} ms).`,
  )
  return missed.length === 0
}

function printRefusal({ request, served, refused, bare }: RefusalFigures): void {
  const line = (what: string, { gateway, system, all }: Cost): string =>
    `  ${what.padEnd(22)} ${all.toFixed(0)} µs with the database, ${system.toFixed(0)} without, ${gateway.toFixed(0)} in the gateway`
  console.log(`\nprocessor time of a ${request}:`)
  console.log(line('served', served))
  console.log(line('refused', refused))
  console.log(`  ${'429 of node:http alone'.padEnd(22)} ${bare.all.toFixed(0)} µs`)
}

function refusalHolds({ request, served, refused, bare }: RefusalFigures): boolean {
  const share = refused.all / bare.all
  const ratio = served.all / refused.all
  const enough = share <= refusalShareMax && ratio >= refusalRatioMin
  console.log(
    `refusals of a ${request}: ${enough ? 'all bounds hold' : 'missed'}: ${share.toFixed(1)} times a bare answer (at most ${refusalShareMax}), ` +
      `${ratio.toFixed(1)} times cheaper than what they stand for (at least ${refusalRatioMin}; ` +
      `${(served.system / refused.system).toFixed(1)} without the database).`,
  )
  return enough
}

interface Server {
  readonly pid: number
  readonly url: string
}

/** What a 429 costs beside an answer and beside a bare one; whether it is little enough. */
async function refusals(system: TestSystem, { pid: postgresPid }: Server): Promise<boolean> {
  const figures = await measureRefusals(system, postgresPid)
  for (const one of figures) printRefusal(one)
  console.log('')
  return figures.map(refusalHolds).every((holds) => holds)
}

/** How much dearer metrics make a read, at most. */
const metricsRatioMax = 1.1
const requestLog = { LOG_LEVEL: 'info' }

/** What telemetry costs a read; whether metrics alone cost little enough. */
async function telemetry(system: TestSystem, { url }: Server): Promise<boolean> {
  const costs = await measureTelemetry(system, url, requestLog)
  const [off, metrics] = costs
  console.log('\nprocessor time of a read, without the database:')
  for (const cost of costs) {
    const ratio = cost.micros / (off?.micros ?? Number.NaN)
    console.log(
      `  telemetry ${cost.telemetry.padEnd(20)} ${cost.micros.toFixed(0)} µs, ${ratio.toFixed(2)} of off`,
    )
  }
  const holds = (metrics?.micros ?? Number.NaN) <= metricsRatioMax * (off?.micros ?? 0)
  console.log(
    `telemetry: ${holds ? 'the bound holds' : 'missed'}: metrics cost at most ${metricsRatioMax} of off.`,
  )
  return holds
}

const firstContentMsMax = 1_000
const taskMsMax = 200

function pageHolds({ firstContentMs, loadingTaskMaxMs, scrollingTaskMaxMs }: PageFigures): boolean {
  return firstContentMs < firstContentMsMax && Math.max(loadingTaskMaxMs, scrollingTaskMaxMs) <= taskMsMax
}

/** The pages of shares of 50 MB in a browser; whether they show something at once and never freeze. */
async function pages(system: TestSystem): Promise<boolean> {
  const figures = await measureSharePages(system)
  console.log('\npages of shares of 50 MB:')
  for (const one of figures) {
    console.log(
      `  ${one.share.padEnd(20)} first content after ${one.firstContentMs.toFixed(0)} ms, views after ${one.openedMs.toFixed(0)} ms; ` +
        `longest task ${one.loadingTaskMaxMs.toFixed(0)} ms while it loads, ${one.scrollingTaskMaxMs.toFixed(0)} ms while it is scrolled`,
    )
  }
  const missed = figures.filter((one) => !pageHolds(one)).map(({ share }) => share)
  console.log(
    missed.length === 0
      ? `pages: all bounds hold: content within ${firstContentMsMax} ms, no task over ${taskMsMax} ms (0 stands for less than 50).`
      : `pages: missed by ${missed.join(', ')} (content within ${firstContentMsMax} ms, no task over ${taskMsMax} ms).`,
  )
  return missed.length === 0
}

const probe = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/probe.mjs'))}`, LOG_LEVEL: 'warn' }

const benches = {
  // Without the probe, which takes processor time itself, and with the log of requests, which everyone has.
  refusals: {
    env: { RATE_LIMIT_STANDARD: `${refusalsRate.requests}/${refusalsRate.seconds}`, LOG_LEVEL: 'info' },
    run: refusals,
  },
  telemetry: { env: requestLog, run: telemetry },
  uploads: { env: probe, run: uploads },
  pages: { env: { LOG_LEVEL: 'warn' }, run: pages },
}

/** Runs the benches that are named, or all, on the real processes over the embedded Postgres. */
async function main(names: readonly string[]): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'])
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`)
  const quick = names.includes('--quick')
  const goals = [shareGoal, readGoal].filter(({ name }) => names.includes(name))
  console.log(await runBenches(goals, { quick }))
  if (goals.length > 0) return
  for (const [name, { env, run }] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-bench-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
    const system = await startSystem({ serverUrl: postgres.url, env })
    try {
      if (!(await run(system, postgres))) process.exitCode = 1
    } finally {
      await system.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

await main(process.argv.slice(2))

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { startSystem, type TestSystem } from '../e2e/harness/system.js'
import { measureRefusals, refusalsRate } from './refusals.js'
import { uploadBodies } from './upload-bodies.js'
import { type LoadFigures, measureUploads } from './uploads.js'

const grownMbMax = 160
const delayMsMax = 50
/** In processor time, against an answer of `node:http` alone. */
const refusalShareMax = 3
/** In processor time, against the answer that a refusal stands for. */
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

/** What a 429 costs beside a 200 and beside a bare answer; whether it is little enough. */
async function refusals(system: TestSystem): Promise<boolean> {
  const { servedMicros, refusedMicros, gateway, bareMicros } = await measureRefusals(system)
  console.log(
    `\nprocessor time of a small read ${servedMicros.toFixed(0)} µs without the database, of a 429 ${refusedMicros.toFixed(0)} µs ` +
      `(in the gateway alone ${gateway.servedMicros.toFixed(0)} and ${gateway.refusedMicros.toFixed(0)} µs), ` +
      `of a 429 by node:http alone ${bareMicros.toFixed(0)} µs`,
  )
  const share = refusedMicros / bareMicros
  const ratio = servedMicros / refusedMicros
  const enough = share <= refusalShareMax && ratio >= refusalRatioMin
  console.log(
    `refusals: ${enough ? 'all bounds hold' : 'missed'}: ${share.toFixed(1)} times a bare answer (at most ${refusalShareMax}), ` +
      `${ratio.toFixed(1)} times cheaper than a read (at least ${refusalRatioMin}).`,
  )
  return enough
}

const benches = {
  refusals: {
    env: { RATE_LIMIT_STANDARD: `${refusalsRate.requests}/${refusalsRate.seconds}` },
    run: refusals,
  },
  uploads: { env: {}, run: uploads },
}

/** Runs the benches that are named, or all, on the real processes over the embedded Postgres. */
async function main(names: readonly string[]): Promise<void> {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`)
  for (const [name, { env, run }] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-bench-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
    const probe = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/probe.mjs'))}`, LOG_LEVEL: 'warn' }
    const system = await startSystem({ serverUrl: postgres.url, env: { ...probe, ...env } })
    try {
      if (!(await run(system))) process.exitCode = 1
    } finally {
      await system.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

await main(process.argv.slice(2))

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { startSystem } from '../e2e/harness/system.js'
import { uploadBodies } from './upload-bodies.js'
import { type LoadFigures, measureUploads } from './uploads.js'

const grownMbMax = 160
const delayMsMax = 50

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

/** Four uploads of 50 MB at once, of every shape, on the real processes over the embedded Postgres. */
async function main(): Promise<void> {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/probe.mjs'))}`, LOG_LEVEL: 'warn' }
  const system = await startSystem({ serverUrl: postgres.url, env })
  try {
    console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`)
    const results: LoadFigures[] = []
    for (const name of Object.keys(uploadBodies(0))) {
      const figures = await measureUploads(system, name, 4)
      printFigures(figures)
      results.push(figures)
    }
    const missed = results.filter((figures) => !holds(figures)).map(({ load }) => load)
    console.log(
      missed.length === 0
        ? `\nAll bounds hold: at most ${grownMbMax} MB more memory and ${delayMsMax} ms of blocked event loop.`
        : `\nMissed: ${missed.join(', ')} (at most ${grownMbMax} MB and ${delayMsMax} ms).`,
    )
    process.exitCode = missed.length === 0 ? 0 : 1
  } finally {
    await system.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()

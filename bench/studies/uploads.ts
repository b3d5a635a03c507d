import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { type LoadFigures, measureUploads } from '../measure-uploads.js'
import { uploadBodies } from '../upload-bodies.js'

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

function goalOf({ load, statuses, seconds, processes, reads }: LoadFigures): GoalFigure {
  const expected = load === 'a million levels' ? 400 : 201
  if (reads.failed > 0 || statuses.some((status) => status !== expected))
    throw new Error(`${load}: ${statuses.join(' ')} instead of ${expected}, ${reads.failed} reads failed`)
  const grownMb = Math.max(...processes.map((one) => one.grownMb))
  const delayMs = Math.max(...processes.map((one) => one.delayMaxMs))
  return {
    name: `four uploads of ${load}`,
    unit: 'MB more in one process',
    floor: null,
    measured: grownMb,
    ratio: null,
    goal: `≤ ${grownMbMax} MB, and the event loop ≤ ${delayMsMax} ms late`,
    holds: grownMb <= grownMbMax && delayMs <= delayMsMax,
    details: { seconds, 'event loop max ms': delayMs, 'reads meanwhile p99 ms': reads.p99Ms },
  }
}

/** Four parallel uploads of 50 MB, of every shape. */
export const uploads: Bench = {
  name: 'uploads',
  env: { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/probe.mjs'))}`, LOG_LEVEL: 'warn' },
  async measure({ startSystem }) {
    const system = await startSystem()
    const results: GoalFigure[] = []
    for (const name of Object.keys(uploadBodies(0))) {
      const figures = await measureUploads(system, name, 4)
      printFigures(figures)
      results.push(goalOf(figures))
    }
    return results
  },
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../e2e/harness/quantile.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { startWorker } from '../worker.js'
import { changedArrays, type DocumentPair, worstPairs } from './compare-documents.js'

const smallBytes = 5_000_000
const largeBytes = 50_000_000
const msMax = 3_000
const mbMax = 400
/** What ten times the bytes may take. */
const ratioMax = 12
/** The other tools get this long. */
const patienceMs = 60_000
const peerBytes: readonly number[] = [100_000, 1_000_000, smallBytes, largeBytes]
const contenders = ['snipkeep', 'snipkeep, patch', 'jsdiff', 'jsondiffpatch', 'jd'] as const

/** What one comparison took; `null` for one that failed or was given up. */
interface Took {
  readonly ms: number
  readonly mb: number
}

/** Compares the two files of a folder in a process of its own. */
async function compareOnce(folder: string, contender: string): Promise<Took | null> {
  const worker = startWorker('studies/compare-program.mjs', {
    JSONDIFFPATCH: process.env.JSONDIFFPATCH ?? '',
  })
  const giveUp = new AbortController()
  const given = sleep(patienceMs, null, { signal: giveUp.signal }).catch(() => null)
  const files = { first: join(folder, 'first.json'), second: join(folder, 'second.json') }
  try {
    const task = worker.ask<Took | { readonly failure: string }>({ contender, ...files })
    const took = await Promise.race([task, given])
    if (took === null || 'ms' in took) return took
    if (contender.startsWith('snipkeep')) throw new Error(took.failure)
    return null
  } finally {
    giveUp.abort()
    worker.stop()
  }
}

async function compareOften(folder: string, pair: DocumentPair, rounds: number): Promise<Took> {
  await writeFile(join(folder, 'first.json'), pair.first)
  await writeFile(join(folder, 'second.json'), pair.second)
  const all: Took[] = []
  for (let round = 0; round < rounds; round += 1) {
    const took = await compareOnce(folder, 'snipkeep')
    if (took === null) throw new Error(`A comparison took longer than ${patienceMs} ms.`)
    all.push(took)
  }
  return { ms: median(all.map(({ ms }) => ms)), mb: Math.max(...all.map(({ mb }) => mb)) }
}

/** How the other tools do on the same documents; `-` where they are not installed, failed or took too long. */
async function showPeers(folder: string): Promise<void> {
  console.log(`\n| MB | ${contenders.join(' | ')} |\n| --- |${contenders.map(() => ' --- |').join('')}`)
  for (const bytes of peerBytes) {
    const { first, second } = changedArrays(bytes)
    await writeFile(join(folder, 'first.json'), first)
    await writeFile(join(folder, 'second.json'), second)
    const cells: string[] = []
    for (const contender of contenders) {
      const took = await compareOnce(folder, contender)
      cells.push(took === null ? '-' : `${Math.round(took.ms)} ms, ${Math.round(took.mb)} MB`)
    }
    console.log(`| ${bytes / 1_000_000} | ${cells.join(' | ')} |`)
  }
}

/**
 * The comparison of documents in a worker thread: how long it takes, how much memory its process has at most, and
 * whether ten times the bytes take about ten times as long, whatever is in them.
 */
export const compare: Bench = {
  name: 'compare',
  async measure({ quick }) {
    const rounds = quick ? 1 : 3
    const folder = await mkdtemp(join(tmpdir(), 'snipkeep-compare-'))
    try {
      const { ms, mb } = await compareOften(folder, changedArrays(largeBytes), rounds)
      const absolute = { floor: null, ratio: null }
      const figures: GoalFigure[] = [
        {
          name: 'comparing 50 MB',
          unit: 'ms',
          ...absolute,
          measured: ms,
          goal: `≤ ${msMax}`,
          holds: ms <= msMax,
        },
        {
          name: 'comparing 50 MB',
          unit: 'MB',
          ...absolute,
          measured: mb,
          goal: `≤ ${mbMax}`,
          holds: mb <= mbMax,
        },
      ]
      for (const [name, make] of Object.entries(worstPairs(smallBytes))) {
        const small = await compareOften(folder, make(), rounds)
        const large = await compareOften(folder, worstPairs(largeBytes)[name]?.() ?? make(), rounds)
        const ratio = large.ms / small.ms
        const memory = { 'MB of memory': large.mb }
        const measures = { unit: 'ms, 50 MB by 5', floor: small.ms, measured: large.ms, ratio }
        const goal = `≤ ${ratioMax}`
        figures.push({
          name: `comparing: ${name}`,
          ...measures,
          goal,
          holds: ratio <= ratioMax,
          details: memory,
        })
      }
      await showPeers(folder)
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

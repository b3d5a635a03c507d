import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../../e2e/harness/quantile.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { largeBytes, largeDocument } from '../large-document.js'
import { startWorker, type Worker } from '../worker.js'

const rounds = 9

/** Documents of 52 MB, by content. */
function documents(): Readonly<Record<string, Buffer>> {
  const rows = largeDocument()
  const array = (item: string): Buffer => {
    const count = Math.floor(largeBytes / (Buffer.byteLength(item) + 1))
    return Buffer.from(`[${Array.from({ length: count }, () => item).join(',')}]`)
  }
  return {
    rows,
    'rows, indented': Buffer.from(JSON.stringify(JSON.parse(rows.toString()), null, 2)).subarray(
      0,
      largeBytes,
    ),
    'plain text': array(JSON.stringify('The quick brown fox jumps over the lazy dog. '.repeat(1_000))),
    'Chinese text': array(JSON.stringify('天地玄黄宇宙洪荒'.repeat(1_000))),
    zeros: array('0'),
    'empty objects': array('{}'),
  }
}

async function measureDocument(worker: Worker, name: string, path: string): Promise<GoalFigure> {
  const times: { readonly ours: number; readonly reference: number }[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await worker.ask(path))
  const floor = median(times.map(({ reference }) => reference))
  const measured = median(times.map(({ ours }) => ours))
  return {
    name: `scanning ${name}`,
    unit: 'ms for 52 MB',
    floor,
    measured,
    ratio: measured / floor,
    goal: 'none (of the same in TypeScript)',
    holds: true,
    details: {},
  }
}

/** The body scanner alone, in turns with its TypeScript reference. */
export const scanner: Bench = {
  name: 'scanner',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'snipkeep-scanner-'))
    const worker = startWorker('../gateway/body/testing/scan-file.ts', {})
    try {
      const figures: GoalFigure[] = []
      for (const [name, bytes] of Object.entries(documents())) {
        const path = join(folder, 'document.json')
        await writeFile(path, bytes)
        figures.push(await measureDocument(worker, name, path))
      }
      return figures
    } finally {
      worker.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, BenchContext } from './bench.js'
import type { GoalFigure } from './goal.js'
import { measureUploads } from './measure-uploads.js'
import { measureReads } from './reads-beside-uploads.js'
import { measureTransfers, withLargeScene } from './transfers.js'

const grownMbMax = 160

/** On a new, cold system: a warm one grows less. */
async function measureMemory({ startSystem }: BenchContext): Promise<GoalFigure> {
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/probe.mjs'))}` }
  const system = await startSystem({ env })
  const { statuses, processes, reads } = await measureUploads(system, 'one long string', 4)
  if (reads.failed > 0 || statuses.some((status) => status !== 201))
    throw new Error(`${statuses.join(' ')}, ${reads.failed} small reads failed`)
  const measured = Math.max(...processes.map(({ grownMb }) => grownMb))
  return {
    name: 'memory added by four 50 MB uploads at once',
    unit: 'MB in one process',
    floor: null,
    measured,
    ratio: null,
    goal: `≤ ${grownMbMax} MB`,
    holds: measured <= grownMbMax,
    details: Object.fromEntries(processes.map((one) => [`${one.process} MB`, one.grownMb])),
  }
}

/** Documents of 50 MB: transfer times, memory, and the effect on other users. */
export const large: Bench = {
  name: 'large',
  env: { LOG_LEVEL: 'warn' },
  async measure(context) {
    const { startSystem, quick } = context
    const [transfers, reads] = await withLargeScene(await startSystem(), async (scene) => [
      await measureTransfers(scene, quick),
      await measureReads(scene, { quick, further: { idleRatioMax: 6, msMax: 25 } }),
    ])
    // Last, since its probes wake up a thousand times a second from then on.
    return [...transfers, await measureMemory(context), reads]
  },
}

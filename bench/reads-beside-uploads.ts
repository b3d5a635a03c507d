import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile } from '../e2e/harness/quantile.js'
import { startBaseline } from './baselines.js'
import type { GoalFigure } from './goal.js'
import { readUntil } from './read-until.js'
import { smallBody } from './small-requests.js'
import { type LargeScene, transfer } from './transfers.js'

const bareRatioMax = 2
const measuredMs = { whole: 16_000, quick: 8_000 }

/** How long reads are measured, and what their row asks for. */
interface ReadsOptions {
  readonly quick: boolean
  readonly further: FurtherBounds | null
  /** Added to the name of the row. */
  readonly where?: string
}

/** Latencies of small reads when idle, and during consecutive uploads. */
export async function measureReads(
  scene: LargeScene,
  { quick, further, where }: ReadsOptions,
): Promise<GoalFigure> {
  const lengthMs = quick ? measuredMs.quick : measuredMs.whole
  const { system, token } = scene
  const user = await system.user('bench', 'pro')
  const small = (await user.post('/api/snippets', smallBody(0))).json<{ id: string }>()
  const bare = await startBaseline('bare')
  const smallUrl = `${system.baseUrl()}/api/snippets/${small.id}`
  /** Latencies of reads of this URL and of bare `node:http` in turns. */
  const read = async (url: string, work: () => Promise<unknown>): Promise<readonly (readonly number[])[]> => {
    let stopped = false
    const reading = readUntil(
      () => stopped,
      [url, bare.baseUrl].map((target) => ({ url: target, token })),
    )
    await work().finally(() => {
      stopped = true
    })
    return (await reading).map(({ latencies, failed }) => {
      if (failed > 0) throw new Error(`${failed} small reads failed`)
      return latencies
    })
  }
  try {
    const repeatedly = (upload: () => Promise<unknown>) => async (): Promise<void> => {
      const until = performance.now() + lengthMs
      while (performance.now() < until) await upload()
    }
    await read(smallUrl, () => sleep(2_000))
    const [idle = [], bareIdle = []] = await read(smallUrl, () => sleep(lengthMs))
    const [busy = [], bareBusy = []] = await read(
      smallUrl,
      repeatedly(() => transfer(scene, null)),
    )
    const [peerBusy = [], besidePeer = []] = await read(
      `${scene.peerUrl}/small`,
      repeatedly(() => scene.client.ask({ url: scene.peerUrl, token: '', upload: true })),
    )
    const figure = readsFigure({ idle, busy }, { idle: bareIdle, busy: bareBusy }, further, where)
    const [peer, floor] = [peerBusy, besidePeer].map((latencies) => quantile(latencies, 0.99)) as [
      number,
      number,
    ]
    return { ...figure, details: { ...figure.details, 'peer p99 ms': peer, 'peer of floor': peer / floor } }
  } finally {
    bare.stop()
  }
}

/** Read latencies, in milliseconds. */
interface ReadTimes {
  readonly idle: readonly number[]
  readonly busy: readonly number[]
}

/** Goals in addition to the bound on the ratio. */
interface FurtherBounds {
  readonly idleRatioMax: number
  readonly msMax: number
}

/**
 * The row of these reads, compared with those of `node:http` alone beside the same uploads.
 * @param bare those, taken in turns with ours.
 */
export function readsFigure(
  { idle, busy }: ReadTimes,
  bare: ReadTimes,
  further: FurtherBounds | null,
  where = '',
): GoalFigure {
  const [floor, measured] = [quantile(bare.busy, 0.99), quantile(busy, 0.99)]
  const idleMs = quantile(idle, 0.99)
  const ratio = measured / floor
  const bounds = [`≤ ${bareRatioMax.toFixed(1)} of bare node:http beside them`]
  if (further !== null) bounds.push(`≤ ${further.idleRatioMax} × idle`, `≤ ${further.msMax} ms`)
  return {
    name: `p99 of small reads while 50 MB uploads follow each other${where}`,
    unit: 'ms',
    floor,
    measured,
    ratio,
    goal: bounds.join(', '),
    holds:
      ratio <= bareRatioMax &&
      (further === null || (measured <= further.idleRatioMax * idleMs && measured <= further.msMax)),
    details: {
      'p50 idle ms': median(idle),
      'p99 idle ms': idleMs,
      'p50 ms': median(busy),
      reads: busy.length,
      'bare node:http p50 idle ms': median(bare.idle),
      'bare node:http p99 idle ms': quantile(bare.idle, 0.99),
      'bare node:http p50 ms': median(bare.busy),
    },
  }
}

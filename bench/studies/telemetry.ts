import { median } from '../../e2e/harness/quantile.js'
import type { TestSystem } from '../../e2e/harness/system.js'
import { startTraceCollector } from '../../e2e/harness/trace-collector.js'
import type { Bench, BenchContext } from '../bench.js'
import { processorMicros } from '../processor-time.js'
import { expectStatus, mapAtOnce, smallBody } from '../small-requests.js'

const rounds = 9
const readsCount = 1_500
const warmUpCount = 4_000

interface Reader {
  readonly micros: number[]
  readMany(count: number): Promise<void>
  processorTime(): Promise<number>
}

async function openReader(system: TestSystem): Promise<Reader> {
  const user = await system.user('reader', 'pro')
  const made = expectStatus(await user.post('/api/snippets', smallBody(0)), 201)
  const path = `/api/snippets/${made.json<{ id: string }>().id}`
  const pids = [system.gateways, system.contents, system.identities].flat().map(({ pid }) => pid)
  return {
    micros: [],
    async readMany(count) {
      await mapAtOnce(Array(count).fill(path), async () => expectStatus(await user.get(path), 200))
    },
    processorTime: () => processorMicros(pids),
  }
}

/**
 * Reads a small snippet from systems that differ only in telemetry, in turns: CPU time per read in all
 * processes, in microseconds, medians of the rounds.
 */
async function measureTelemetry(
  startSystem: BenchContext['startSystem'],
): Promise<Readonly<Record<'off' | 'metrics' | 'traces', number>>> {
  const collector = await startTraceCollector()
  try {
    const readers = {
      off: await openReader(await startSystem()),
      metrics: await openReader(await startSystem({ env: { METRICS_PORT: '0' } })),
      traces: await openReader(
        await startSystem({ env: { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }),
      ),
    }
    for (const { readMany } of Object.values(readers)) await readMany(warmUpCount)
    for (let round = 0; round < rounds; round += 1) {
      for (const { readMany, processorTime, micros } of Object.values(readers)) {
        const before = await processorTime()
        await readMany(readsCount)
        micros.push(((await processorTime()) - before) / readsCount)
      }
    }
    const { off, metrics, traces } = readers
    return { off: median(off.micros), metrics: median(metrics.micros), traces: median(traces.micros) }
  } finally {
    await collector.stop()
  }
}

/** The maximum extra cost of metrics per read. */
const metricsRatioMax = 1.1

/** The cost of telemetry per read, without the database. */
export const telemetry: Bench = {
  name: 'telemetry',
  async measure({ startSystem }) {
    const costs = await measureTelemetry(startSystem)
    console.log('\nprocessor time of a read, without the database:')
    const { off, metrics, traces } = costs
    for (const [kind, micros] of Object.entries(costs))
      console.log(`  ${kind.padEnd(10)} ${micros.toFixed(0)} µs, ${(micros / off).toFixed(2)} of off`)
    return [
      {
        name: 'a read with metrics',
        unit: 'processor µs',
        floor: off,
        measured: metrics,
        ratio: metrics / off,
        goal: `≤ ${metricsRatioMax.toFixed(2)} of telemetry off`,
        holds: metrics <= metricsRatioMax * off,
        details: { 'with traces as well, processor µs': traces },
      },
    ]
  },
}

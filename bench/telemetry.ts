import { startSystem, type TestSystem } from '../e2e/harness/system.js'
import type { Env } from '../e2e/harness/system-process.js'
import { startTraceCollector } from '../e2e/harness/trace-collector.js'
import { processorMicros } from './processor-time.js'

/** Processor time of a read in all processes of a system, in microseconds. */
export interface TelemetryCost {
  readonly telemetry: 'off' | 'metrics' | 'metrics and traces'
  readonly micros: number
}

const rounds = 9
const readsCount = 1_500
const warmUpCount = 4_000
const atOnce = 16

interface Reader {
  readonly telemetry: TelemetryCost['telemetry']
  readonly micros: number[]
  readMany(count: number): Promise<void>
  processorTime(): Promise<number>
}

const small = { tool: 'bench', title: 'Small', data: { v: 'x'.repeat(1_000) } }

async function openReader(telemetry: TelemetryCost['telemetry'], system: TestSystem): Promise<Reader> {
  const user = await system.user('reader', 'pro')
  const path = `/api/snippets/${(await user.post('/api/snippets', small)).json<{ id: string }>().id}`
  const pids = [system.gateways, system.contents, system.identities].flat().map(({ pid }) => pid)
  return {
    telemetry,
    micros: [],
    async readMany(count) {
      let left = count
      const worker = async (): Promise<void> => {
        while (left > 0) {
          left -= 1
          const { status } = await user.get(path)
          if (status !== 200) throw new Error(`${status} instead of 200`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
    },
    processorTime: () => processorMicros(pids),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Reads a small snippet from systems that differ in their telemetry alone, in turns; medians of the rounds. */
export async function measureTelemetry(
  off: TestSystem,
  serverUrl: string,
  env: Env,
): Promise<TelemetryCost[]> {
  const collector = await startTraceCollector()
  const measured = await startSystem({ serverUrl, env: { ...env, METRICS_PORT: '0' } })
  const traced = await startSystem({
    serverUrl,
    env: { ...env, METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  try {
    const readers = [
      await openReader('off', off),
      await openReader('metrics', measured),
      await openReader('metrics and traces', traced),
    ]
    for (const reader of readers) await reader.readMany(warmUpCount)
    for (let round = 0; round < rounds; round += 1) {
      for (const { readMany, processorTime, micros } of readers) {
        const before = await processorTime()
        await readMany(readsCount)
        micros.push(((await processorTime()) - before) / readsCount)
      }
    }
    return readers.map(({ telemetry, micros }) => ({ telemetry, micros: median(micros) }))
  } finally {
    await traced.stop()
    await measured.stop()
    await collector.stop()
  }
}

import type { Bench } from './bench.js'
import { measureTelemetry } from './measure-telemetry.js'

/** How much dearer metrics make a read, at most. */
const metricsRatioMax = 1.1

/** What telemetry costs a read, without the database. */
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

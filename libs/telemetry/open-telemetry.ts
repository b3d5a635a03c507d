import { telemetry } from './telemetry.js'
import type { TelemetryConfig } from './telemetry-variables.js'

/** What a process tells of itself while it runs. */
export interface OpenTelemetry {
  /** Where metrics are told, for the log; `undefined` where they are not. */
  readonly metricsPort: number | undefined
  /** Sends what is left, for some seconds at most, and stops listening. */
  stop(): Promise<void>
}

/** What a process is to those who watch it. */
export interface TelemetryOptions {
  readonly service: string
  /** Whether strangers ask it, whose traces are not taken at their word. */
  readonly atTheEdge?: boolean
}

/**
 * Switches on what is configured, before anything is opened that could be measured. What it takes is loaded only then,
 * so that a process without telemetry pays for none.
 * @throws Error with `code: 'EADDRINUSE'` and the like when metrics cannot be served.
 */
export async function openTelemetry(
  { metrics, traces }: TelemetryConfig,
  { service, atTheEdge = false }: TelemetryOptions,
): Promise<OpenTelemetry> {
  const open: { stop(): Promise<void> }[] = []
  let metricsPort: number | undefined
  if (metrics !== null) {
    const { serveMetrics } = await import('./serve-metrics.js')
    const server = await serveMetrics(metrics, service)
    metricsPort = server.port
    open.push(server)
    telemetry.metrics = true
  }
  if (traces !== null) {
    const { exportTraces } = await import('./export-traces.js')
    const exported = exportTraces(traces, service, atTheEdge)
    open.push(exported)
    telemetry.traces = exported.traces
  }
  return {
    metricsPort,
    async stop() {
      telemetry.metrics = false
      telemetry.traces = null
      await Promise.all(open.map((one) => one.stop()))
    },
  }
}

import { telemetry } from './telemetry.js'
import type { TelemetryConfig } from './telemetry-variables.js'

/** The telemetry of a running process. */
export interface OpenTelemetry {
  /** The address of the metrics, for the log; `undefined` if there is none. */
  readonly metricsPort: number | undefined
  /** Sends what is left, for a few seconds at most, and stops listening. */
  stop(): Promise<void>
}

/** The identity of a process in telemetry. */
export interface TelemetryOptions {
  readonly service: string
  /** Whether strangers call it, whose trace flags are not trusted. */
  readonly atTheEdge?: boolean
}

/**
 * Turns on the configured telemetry, before anything is opened that could be measured. Its modules are loaded only
 * then, so that a process without telemetry does not pay for them.
 * @throws Error such as `code: 'EADDRINUSE'` if metrics cannot be served.
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

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, Registry } from 'prom-client'
import { catalogue, metrics } from './catalogue.js'
import type { MetricsAddress } from './telemetry-variables.js'

const nanosecondsPerSecond = 1e9
const microsecondsPerSecond = 1e6
/** The resolution of delays, in milliseconds. */
const resolution = 10
/** Scrapes within this time get the same values, in milliseconds. */
const freshMs = 1_000

/**
 * Measures the process until the returned function is called. prom-client's own process metrics have other names than
 * those in the dashboards, and are all or nothing.
 */
function watchProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / nanosecondsPerSecond)
  let read: readonly (readonly [labels: readonly [string], value: number])[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const readDelay = () => {
    if (delay.count === 0 || performance.now() - readAt < freshMs) return read
    read = [
      [['0.5'], seconds(delay.percentile(50))],
      [['0.99'], seconds(delay.percentile(99))],
      [['1'], seconds(delay.max)],
    ]
    readAt = performance.now()
    delay.reset()
    return read
  }
  const readCpu = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / microsecondsPerSecond
  }
  const stops = [
    metrics.eventLoopDelay.observe(readDelay),
    metrics.processCpu.observe(() => [[[], readCpu()]]),
    metrics.processMemory.observe(() => [[[], process.memoryUsage.rss()]]),
    metrics.heapUsed.observe(() => [[[], process.memoryUsage().heapUsed]]),
    metrics.activeResources.observe(() => [[[], process.getActiveResourcesInfo().length]]),
    metrics.processStart.observe(() => [[[], performance.timeOrigin / 1_000]]),
  ]
  return () => {
    delay.disable()
    for (const stop of stops) stop()
  }
}

/** A server of metrics. */
export interface MetricsServer {
  /** The actual port, also for port 0. */
  readonly port: number
  /** Resolves when every connection is closed. */
  stop(): Promise<void>
}

/** A separate registry for each server, so that several fit into one process. */
function registryOf(service: string): Registry {
  const registry = new Registry()
  const labelNames = ['service_name']
  new Gauge({ name: 'target_info', help: 'Target metadata', labelNames, registers: [registry] })
    .labels(service)
    .set(1)
  for (const { metric } of catalogue) registry.registerMetric(metric)
  return registry
}

/**
 * Serves `GET /metrics` with every metric of this process, and 404 for anything else.
 * @throws Error such as `code: 'EADDRINUSE'` if it cannot listen.
 */
export async function serveMetrics({ host, port }: MetricsAddress, service: string): Promise<MetricsServer> {
  const registry = registryOf(service)
  const stopWatching = watchProcess()

  const sendMetrics = async (response: ServerResponse): Promise<void> => {
    const text = await registry.metrics()
    response.writeHead(200, { 'Content-Type': registry.contentType })
    response.end(text)
  }
  const server = createServer({ requestTimeout: 10_000 }, ({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    sendMetrics(response).catch(() => response.destroy())
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    stopWatching()
    throw error
  }
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async stop() {
      stopWatching()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

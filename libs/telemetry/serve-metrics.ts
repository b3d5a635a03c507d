import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { Gauge, Registry } from 'prom-client'
import { catalogue } from './catalogue.js'
import { watchProcess } from './process-metrics.js'
import type { MetricsAddress } from './telemetry-variables.js'

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

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { catalogue } from './catalogue.js'
import { metricProducer } from './metric-data.js'
import { watchProcess } from './process-metrics.js'
import type { MetricsAddress } from './telemetry-variables.js'

/** A server of metrics. */
export interface MetricsServer {
  /** The port that it listens on, also when 0 was asked for. */
  readonly port: number
  /** Resolves when nobody is answered any more. */
  stop(): Promise<void>
}

/**
 * Answers `GET /metrics` with all figures of this process, and anything else with 404.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot listen.
 */
export async function serveMetrics({ host, port }: MetricsAddress, service: string): Promise<MetricsServer> {
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [metricProducer(catalogue)],
  })
  const resource = resourceFromAttributes({ 'service.name': service })
  const provider = new MeterProvider({ resource, readers: [exporter] })
  const serializer = new PrometheusSerializer('', false, undefined, false, true)
  const stopWatching = watchProcess()

  const answer = async (response: ServerResponse): Promise<void> => {
    const { resourceMetrics } = await exporter.collect()
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(`${serializer.serialize(resourceMetrics)}\n`)
  }
  const server = createServer({ requestTimeout: 10_000 }, ({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    answer(response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async stop() {
      stopWatching()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await provider.shutdown()
    },
  }
}

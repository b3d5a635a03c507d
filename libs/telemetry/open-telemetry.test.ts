import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { metrics } from './catalogue.js'
import { openTelemetry } from './open-telemetry.js'
import { telemetry } from './telemetry.js'
import { telemetryConfig, telemetryVariables } from './telemetry-variables.js'

const host = '127.0.0.1'
const service = 'test'
let collector: Server | undefined

afterEach(() => {
  collector?.closeAllConnections()
  collector?.close()
  collector = undefined
})

/** A collector that responds with this status, or never; keeps what it was sent. */
async function openCollector(
  status: number | null,
): Promise<{ endpoint: string; bodies: Buffer[]; keys: string[] }> {
  const bodies: Buffer[] = []
  const keys: string[] = []
  collector = createServer((request, response) => {
    keys.push(String(request.headers['x-key']))
    request.on('data', (chunk: Buffer) => bodies.push(chunk))
    request.on('end', () => {
      if (status !== null) response.writeHead(status).end()
    })
  }).listen(0, host)
  await new Promise((resolve) => collector?.once('listening', resolve))
  return { endpoint: `http://${host}:${(collector.address() as AddressInfo).port}`, bodies, keys }
}

/** Ends a request that contains a statement. */
function traceSomething(): void {
  const request = telemetry.traces?.serve('GET', undefined, {})
  request?.run(() => telemetry.traces?.call('statement', {})?.end({ failure: null }))
  request?.end({ failure: null, name: 'GET /somewhere' })
}

test("without configuration everything is off, and OpenTelemetry's SDK is not loaded", async () => {
  const script = `
    const { openTelemetry } = await import('./libs/telemetry/open-telemetry.ts')
    const { createRequire } = await import('node:module')
    for (const known of ['grpc/call', 'grpc/handler', 'postgres/pool', 'log/logger', 'runtime/queue-worker'])
      await import('./libs/' + known + '.ts')
    const { metricsPort, stop } = await openTelemetry({ metrics: null, traces: null }, { service: 'x' })
    await stop()
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@opentelemetry/') && !path.includes('@opentelemetry/api/'))
    console.log(JSON.stringify([metricsPort ?? null, loaded.length]))
    if (process.argv.includes('on')) {
      const opened = await openTelemetry({ metrics: null, traces: { endpoint: 'http://127.0.0.1:1', share: 0, headers: {} } }, { service: 'x' })
      await opened.stop()
      const all = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@opentelemetry/') && !path.includes('@opentelemetry/api/'))
      console.log(JSON.stringify(all.length > 10))
    }`
  const args = ['--conditions=snipkeep-source', '--import', 'tsx', '--input-type=module', '-e', script, 'on']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.trim().split('\n')).toEqual(['[null,0]', 'true'])
})

test('metrics are served on a separate port until the process stops', async () => {
  const opened = await openTelemetry({ metrics: { host, port: 0 }, traces: null }, { service })
  expect(telemetry).toEqual({ metrics: true, traces: null })
  metrics.httpServerDuration.series('/planted', 'GET', '2xx').observe(0.02)
  const url = `http://${host}:${opened.metricsPort}/metrics`
  const text = await (await fetch(url)).text()
  const name = 'snipkeep_http_server_request_duration_seconds'
  const labels = 'route="/planted",method="GET",status_class="2xx"'
  const bucket = (le: string) => `${name}_bucket{le="${le}",${labels}}`
  expect(text).toContain(`# TYPE ${name} histogram`)
  expect(text).toContain(`${bucket('0.01')} 0\n`)
  expect(text).toContain(`${bucket('0.025')} 1\n`)
  expect(text).toContain(`${bucket('+Inf')} 1\n`)
  expect(text).toContain('target_info{service_name="test"} 1')
  expect(text).toMatch(/^process_cpu_seconds_total \d/m)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  await opened.stop()
  expect(telemetry).toEqual({ metrics: false, traces: null })
  await expect(fetch(url)).rejects.toThrow()
})

test('a taken port fails the start', async () => {
  const { endpoint } = await openCollector(200)
  const port = Number(new URL(endpoint).port)
  await expect(openTelemetry({ metrics: { host, port }, traces: null }, { service })).rejects.toThrow(
    /EADDRINUSE/,
  )
})

test('pending spans are sent when the process stops', async () => {
  const { endpoint, bodies } = await openCollector(200)
  const opened = await openTelemetry(
    { metrics: null, traces: { endpoint, share: 1, headers: {} } },
    { service },
  )
  traceSomething()
  expect(bodies).toEqual([])
  await opened.stop()
  const sent = Buffer.concat(bodies).toString('latin1')
  expect(sent).toContain('GET /somewhere')
  expect(sent).toContain('statement')
})

test('a collector gets the configured headers, such as a key', async () => {
  const { endpoint, keys } = await openCollector(200)
  const values = readVariables(telemetryVariables, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%2Cb=,x-tenant=one',
  })
  const opened = await openTelemetry(telemetryConfig(values), { service })
  traceSomething()
  await opened.stop()
  expect(keys).toEqual(['a,b='])
})

test('invalid headers are rejected, and never printed', () => {
  for (const bad of ['canary', '=canary', 'a=%canary', 'a b=canary']) {
    const read = () => readVariables(telemetryVariables, { OTEL_EXPORTER_OTLP_HEADERS: bad })
    expect(read, bad).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list/)
    expect(read, bad).not.toThrow(/canary/)
  }
})

test('with a sample rate of 0 nothing is sent, and callers cannot request more', async () => {
  const { endpoint, bodies } = await openCollector(200)
  const config = { metrics: null, traces: { endpoint, share: 0, headers: {} } }
  const opened = await openTelemetry(config, { service, atTheEdge: true })
  traceSomething()
  const asked = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const span = telemetry.traces?.serve('GET', asked, {})
  expect(span?.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/)
  span?.end({ failure: null })
  await opened.stop()
  expect(bodies).toEqual([])
})

test.each([
  ['cannot be reached', async () => `http://${host}:1`],
  ['refuses', async () => (await openCollector(400)).endpoint],
  ['never responds', async () => (await openCollector(null)).endpoint],
])('a collector that %s delays no request, and the stop by a few seconds at most', async (_what, open) => {
  const endpoint = await open()
  const dropped = async () => (await metrics.spansDropped.collect())[0]?.value ?? 0
  const before = await dropped()
  const opened = await openTelemetry(
    { metrics: null, traces: { endpoint, share: 1, headers: {} } },
    { service },
  )
  const from = performance.now()
  for (let n = 0; n < 5_000; n += 1) traceSomething()
  expect(performance.now() - from).toBeLessThan(10_000)
  const stopping = performance.now()
  await opened.stop()
  expect(performance.now() - stopping).toBeLessThan(20_000)
  if (_what !== 'never responds') expect(await dropped()).toBeGreaterThan(before)
})

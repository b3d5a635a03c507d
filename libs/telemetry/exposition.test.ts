import { expect, test, vi } from 'vitest'

const measured = /^(process_|nodejs_|snipkeep_event_loop)/

/** A line with sorted labels; its value only for series that nothing else in this process changes. */
function normal(line: string): readonly string[] {
  if (line.startsWith('#')) return [line]
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const sorted = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(String).sort()
  const isOurs = labels.includes('\\"x\\"') || name === 'target_info'
  if (labels !== '' && !isOurs && !measured.test(name)) return []
  return [`${name}{${sorted.join(',')}} ${isOurs ? value : '?'}`]
}

// Made by OpenTelemetry's exporter, before prom-client: dashboards and alerts still read the same.
test('a scrape has the names, types, labels and buckets that the dashboards use', async () => {
  // Fresh metrics: other tests in this process count in theirs.
  vi.resetModules()
  const { metrics } = await import('./catalogue.js')
  const { serveMetrics } = await import('./serve-metrics.js')
  for (const one of Object.values(metrics)) {
    if (measured.test(one.name)) continue
    const values = one.labels.map((label) => `${label} "x"\\y`)
    const child = Reflect.apply(one.series, one, values)
    if ('observe' in child) child.observe(0.02)
    else if ('set' in child) child.set(2)
    else child.inc(2)
  }
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, 'test')
  const scrape = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  await expect.poll(scrape, { interval: 100 }).toContain('delay_seconds{')
  const lines = (await scrape()).split('\n').filter((line) => line !== '')
  await server.stop()
  await expect(`${lines.flatMap(normal).sort().join('\n')}\n`).toMatchFileSnapshot('exposition.snapshot.txt')
})

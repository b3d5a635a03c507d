import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { signWebhook } from './harness/payment-side.js'
import { rawHttp } from './harness/raw-http.js'
import { figure, metricsUrl, scrapeText } from './harness/scrape.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { type CollectedSpan, startTraceCollector, type TraceCollector } from './harness/trace-collector.js'
import { until } from './harness/until.js'

let collector: TraceCollector
let system: TestSystem

beforeAll(async () => {
  collector = await startTraceCollector()
  system = await startSystem({
    payments: {},
    env: { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    gatewayEnv: { RATE_LIMIT_FAIR_USE: '5/60', PLAN_FREE_SNIPPETS: '2' },
    contentEnv: { PLAN_FREE_SNIPPETS: '2' },
  })
})
afterAll(async () => {
  await system?.stop()
  await collector?.stop()
})

function spansOf(traceId: string): readonly CollectedSpan[] {
  return collector.spans().filter((span) => span.traceId === traceId)
}

/** The services and span names from the root of a trace down to this one. */
function wayTo(span: CollectedSpan): readonly string[] {
  const parent = spansOf(span.traceId).find(({ spanId }) => spanId === span.parentId)
  return [...(parent === undefined ? [] : wayTo(parent)), `${span.service} ${span.name}`]
}

describe('traces', () => {
  it('span the caller, HTTP, gRPC and SQL, and carry the request id', async () => {
    const user = await system.user('traced')
    const made = await user.post('/api/snippets', { tool: 'json', title: 'Traced', data: {} })
    const { id } = made.json<{ id: string }>()
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const response = await user.get(`/api/snippets/${id}`, {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'X-Request-Id': 'the-traced-one',
    })
    expect(response.status).toBe(200)
    await until(async () => spansOf(traceId).some(({ name }) => name === 'snippet-find-all'))
    await until(async () => spansOf(traceId).some(({ name }) => name === 'GET /api/snippets/{id}'))
    const spans = spansOf(traceId)
    const sql = spans.find(({ name }) => name === 'snippet-find-all')
    if (sql === undefined) throw new Error('there is no statement')
    const rpc = 'snipkeep.content.v1.SnippetService/GetSnippet'
    expect(wayTo(sql)).toEqual([
      'gateway GET /api/snippets/{id}',
      `gateway ${rpc}`,
      `content ${rpc}`,
      'content snippet-find-all',
    ])
    expect(spans.find(({ service }) => service === 'gateway')?.parentId).not.toBe('')
    const bearers = spans.filter(({ attributes }) => attributes['snipkeep.request_id'] === 'the-traced-one')
    expect(bearers.map(({ service }) => service)).toEqual(expect.arrayContaining(['gateway', 'content']))
    expect(sql.attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': 'snippet-find-all' })
    const line = system.gateways[0]
      ?.output()
      .split('\n')
      .find((one) => one.includes('the-traced-one'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: traceId, route: '/api/snippets/{id}' })
  })

  it('cover the pages of the web application', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const path = `/s/${'0'.repeat(22)}`
    const response = await system.anyone().get(path, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    expect(response.status).toBe(404)
    await until(async () => spansOf(traceId).some(({ name }) => name === 'share-find-all'))
    await until(async () => spansOf(traceId).some(({ service }) => service === 'gateway'))
    const sql = spansOf(traceId).find(({ name }) => name === 'share-find-all')
    if (sql === undefined) throw new Error('there is no statement')
    await until(async () => wayTo(sql).length === 5)
    expect(wayTo(sql)).toEqual([
      'gateway GET web',
      'web GET /s/{id}',
      'web snipkeep.content.v1.ShareService/GetShare',
      'content snipkeep.content.v1.ShareService/GetShare',
      'content share-find-all',
    ])
  })
})

describe('metrics', () => {
  it('of every process show the requests it handled', async () => {
    const user = await system.user('measured', 'pro')
    const made = await user.post('/api/snippets', { tool: 'json', title: 'Measured', data: {} })
    await user.get(`/api/snippets/${made.json<{ id: string }>().id}`)
    await user.post('/api/history', { tool: 'json' })
    await user.get('/api/subscription')
    await system.anyone().get('/')
    const [gateway] = system.gateways
    const [content] = system.contents
    const [identity] = system.identities
    const [activity] = system.activities
    const [billing] = system.payments?.billings ?? []
    if (!gateway || !content || !identity || !activity || !billing) throw new Error('a process is missing')
    const http = 'snipkeep_http_server_request_duration_seconds_count'
    const served = 'snipkeep_grpc_server_duration_seconds_count'
    const route = { route: '/api/snippets/{id}', method: 'GET', status_class: '2xx' }
    expect(await figure(gateway, http, route)).toBeGreaterThan(0)
    const method = 'snipkeep.content.v1.SnippetService/GetSnippet'
    const called = 'snipkeep_grpc_client_duration_seconds_count'
    expect(await figure(gateway, called, { method, status: 'OK' })).toBeGreaterThan(0)
    expect(await figure(content, served, { method, status: 'OK' })).toBeGreaterThan(0)
    const statement = 'snipkeep_postgres_statement_duration_seconds_count'
    expect(await figure(content, statement, { statement: 'snippet-find-all' })).toBeGreaterThan(0)
    expect(await figure(content, 'snipkeep_postgres_pool_acquire_duration_seconds_count')).toBeGreaterThan(0)
    expect(await figure(content, 'snipkeep_postgres_pool_connections_max')).toBe(10)
    for (const [process, service] of [
      [identity, 'AccountService/ResolveCaller'],
      [activity, 'HistoryService/RecordEntry'],
      [billing, 'SubscriptionService/GetSubscription'],
    ] as const) {
      const text = await scrapeText(process)
      expect(text).toMatch(
        new RegExp(`snipkeep_grpc_server_duration_seconds_count\\{method="[\\w.]+${service}"`),
      )
    }
    expect(await figure(system.web, http, { route: '/', status_class: '2xx' })).toBeGreaterThan(0)
    expect(await scrapeText(billing)).toMatch(/snipkeep_queue_depth\{queue="plan_deliveries"\} \d+/)
    for (const one of system.processes) {
      expect(await figure(one, 'process_resident_memory_bytes')).toBeGreaterThan(20_000_000)
      expect(await figure(one, 'process_cpu_seconds_total')).toBeGreaterThan(0)
      expect(await figure(one, 'snipkeep_event_loop_delay_seconds', { quantile: '0.99' })).toBeGreaterThan(0)
    }
  })

  it('count every 429, even those served from the cache', async () => {
    const [gateway] = system.gateways
    if (gateway === undefined) throw new Error('there is no gateway')
    const key = await makeKey(system, await system.user('spender', 'pro'))
    const statuses: number[] = []
    for (let n = 0; n < 60; n += 1) statuses.push((await key.client.get('/api/snippets')).status)
    const refused = statuses.filter((status) => status === 429).length
    expect(refused).toBe(55)
    const decisions = 'snipkeep_rate_limit_decisions_total'
    await until(async () => {
      const counted = await figure(gateway, decisions, { policy: 'fair-use', outcome: 'refused' })
      return counted === refused
    })
    expect(await figure(gateway, decisions, { policy: 'fair-use', outcome: 'admitted' })).toBe(5)
    expect(await figure(gateway, 'snipkeep_http_problems_total', { code: 'rate_limited' })).toBe(refused)
    const http = 'snipkeep_http_server_request_duration_seconds_count'
    const response = { route: '/api/snippets', method: 'GET', status_class: '4xx' }
    expect(await figure(gateway, http, response)).toBe(refused)
  })

  it('count rejections by plans, cache hits of callers, and bytes of uploads', async () => {
    const [gateway] = system.gateways
    if (gateway === undefined) throw new Error('there is no gateway')
    const user = await system.user('frugal')
    const snippet = { tool: 'json', title: 'One', data: {} }
    for (let n = 0; n < 3; n += 1) await user.post('/api/snippets', snippet)
    await user.post('/api/keys', { name: 'none' })
    const problems = 'snipkeep_http_problems_total'
    expect(await figure(gateway, problems, { code: 'snippet_limit_reached' })).toBe(1)
    expect(await figure(gateway, problems, { code: 'pro_required' })).toBe(1)
    expect(await figure(gateway, 'snipkeep_caller_cache_lookups_total', { outcome: 'hit' })).toBeGreaterThan(
      0,
    )
    expect(
      await figure(gateway, 'snipkeep_verified_token_lookups_total', { outcome: 'hit' }),
    ).toBeGreaterThan(0)
    expect(await figure(gateway, 'snipkeep_upload_in_flight_bytes')).toBe(0)
    expect(await figure(gateway, 'snipkeep_upload_in_flight_max_bytes')).toBe(67_108_864)
  })

  it('count provider events without effect, by reason', async () => {
    const [billing] = system.payments?.billings ?? []
    if (billing === undefined) throw new Error('there are no payments')
    const version = '2026-10-28.endive'
    const object = { id: 'sub_1', object: 'subscription', customer: 'cus_of_nobody' }
    const event = {
      type: 'customer.subscription.updated',
      created: Math.floor(Date.now() / 1_000) - 40,
      livemode: false,
      api_version: version,
      data: { object },
    }
    const events = [
      { ...event, id: 'evt_foreign' },
      { ...event, id: 'evt_of_tomorrow', type: 'a.type.of.tomorrow' },
      { ...event, id: 'evt_live', livemode: true },
      { ...event, id: 'evt_old', api_version: '2019-01-01' },
    ]
    for (const one of events) {
      const body = JSON.stringify(one)
      const headers = { 'Stripe-Signature': signWebhook(body) }
      const response = await system.anyone().request('POST', '/api/webhooks/stripe', { body, headers })
      expect(response.status).toBe(200)
    }
    const total = 'snipkeep_provider_events_total'
    await until(async () => (await figure(billing, total)) === 4)
    expect(await figure(billing, total, { outcome: 'foreign' })).toBe(2)
    expect(await figure(billing, total, { outcome: 'ignored' })).toBe(1)
    expect(await figure(billing, total, { outcome: 'wrong-mode' })).toBe(1)
    expect(await figure(billing, 'snipkeep_provider_events_other_version_total')).toBe(1)
    const lag = 'snipkeep_webhook_lag_seconds'
    expect(await figure(billing, `${lag}_sum`, { stage: 'arrived' })).toBeGreaterThan(160)
    expect(await figure(billing, `${lag}_count`, { stage: 'worked_off' })).toBe(4)
    await until(
      async () => (await figure(billing, 'snipkeep_queue_depth', { queue: 'provider_events' })) === 0,
    )
  })

  it('are served only on their own port and path', async () => {
    for (const one of system.processes) {
      const url = metricsUrl(one)
      expect((await fetch(`${url}?x=1`)).status).toBe(200)
      expect((await fetch(url)).headers.get('content-type')).toContain('version=0.0.4')
      expect((await fetch(`${url}/`)).status).toBe(404)
      expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
      expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    }
    for (const path of ['/metrics', '/api/metrics', '/metrics/', '/%6detrics', '//metrics']) {
      const response = await system.anyone().get(path)
      expect([path, response.status, response.text.includes('# TYPE')]).toEqual([path, 404, false])
    }
  })
})

describe('the log of the gateway', () => {
  const lines = (id: string): readonly string[] =>
    (system.gateways[0]?.output() ?? '').split('\n').filter((line) => line.includes(`"${id}"`))

  it('has exactly one line per request, of at most 1 KB', async () => {
    const user = await system.user('counted')
    const requests: readonly [string, string, Record<string, string>?][] = [
      ['GET', '/api/snippets'],
      ['GET', '/api/nowhere'],
      ['PUT', '/api/snippets'],
      ['GET', '/'],
      ['POST', '/api/snippets', { Expect: 'something-else' }],
      ['GET', `/api/snippets/${'x'.repeat(200)}`],
    ]
    for (const [index, [method, path, headers = {}]] of requests.entries()) {
      const id = `counted-${index}`.padEnd(128, '-')
      if (headers.Expect === undefined) await user.request(method, path, { headers: { 'X-Request-Id': id } })
      else {
        const head = [
          `${method} ${path} HTTP/1.1`,
          'Host: a',
          `X-Request-Id: ${id}`,
          `Expect: ${headers.Expect}`,
        ]
        const response = await rawHttp(
          system.baseUrl(),
          `${head.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`,
        )
        expect(response.statuses).toEqual([417])
      }
      await until(async () => lines(id).length > 0)
      expect(lines(id)).toHaveLength(1)
      expect(Buffer.byteLength(lines(id)[0] ?? '')).toBeLessThanOrEqual(1_024)
    }
  })

  it('has none for a successful probe', async () => {
    const user = await system.user('probing')
    const of = (path: string, id: string) => user.request('GET', path, { headers: { 'X-Request-Id': id } })
    expect((await of('/healthz', 'a-probe')).status).toBe(200)
    await of('/api/snippets', 'after-the-probe')
    await until(async () => lines('after-the-probe').length > 0)
    expect(lines('a-probe')).toEqual([])
  })
})

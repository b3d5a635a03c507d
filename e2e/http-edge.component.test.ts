import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { framingAttacks, lenientParser } from './harness/framing-attacks.js'
import { rawHttp } from './harness/raw-http.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let url: string

beforeAll(async () => {
  system = await startSystem()
  url = system.baseUrl()
})
afterAll(() => system?.stop())
afterEach(async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

const host = (): string => new URL(url).host
const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\n${headers}Connection: close\r\n\r\n`

describe.skipIf(lenientParser !== '')(`framing${lenientParser}`, () => {
  it('that is ambiguous or invalid gets 400 and a closed connection, so that nothing is smuggled', async () => {
    const cases = framingAttacks(host())
    expect(cases.length).toBeGreaterThanOrEqual(60)
    for (const { name, bytes } of cases) {
      const { statuses, closed, text } = await rawHttp(url, bytes, { silentMs: 250, quietMs: 20_000 })
      expect(text, name).not.toContain('smuggled-marker')
      expect(statuses.length, `${name}: ${text.slice(0, 300)}`).toBeLessThanOrEqual(1)
      expect(
        statuses.every((status) => status >= 400),
        `${name}: ${statuses}`,
      ).toBe(true)
      expect(closed || statuses.length === 0, name).toBe(true)
    }
  })

  it('that the parser rejects still gets a problem and the security headers', async () => {
    const { text, statuses } = await rawHttp(url, 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n')
    expect(statuses).toEqual([400])
    expect(text).toContain('Content-Type: application/problem+json')
    expect(text).toContain('X-Content-Type-Options: nosniff')
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
  })

  it.each(['Host: a\r\nHost: b', 'Host: a b/c@d', 'Host: user@a'])(
    'with %j is rejected, on every path',
    async (line) => {
      for (const path of ['/healthz', '/api/shares/a', '/s/a']) {
        const { statuses } = await rawHttp(
          url,
          `GET ${path} HTTP/1.1\r\n${line}\r\nConnection: close\r\n\r\n`,
        )
        expect(statuses, path).toEqual([400])
      }
    },
  )

  it('in HTTP/1.1 without a Host is rejected', async () => {
    expect((await rawHttp(url, 'GET /healthz HTTP/1.1\r\n\r\n')).statuses).toEqual([400])
  })
})

describe('headers', () => {
  it('over 16 KiB are 431 and a URL of 64 KiB is 414', async () => {
    expect((await rawHttp(url, get('/healthz', `X-Big: ${'a'.repeat(17_000)}\r\n`))).statuses).toEqual([431])
    expect((await rawHttp(url, get('/healthz', 'X-A: b\r\n'.repeat(2_500)))).statuses).toEqual([431])
    expect((await rawHttp(url, get(`/${'a'.repeat(65_536)}`))).statuses).toEqual([414])
  })

  it('with unusual names change nothing', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x'.repeat(5_000)]) {
      expect((await rawHttp(url, get('/healthz', `${name}: 1\r\n`))).statuses, name).toEqual([200])
    }
  })

  it('that look internal neither identify a caller nor change a link', async () => {
    const forged = [
      'X-User-Id',
      'x_user_id',
      'X-Owner-Id',
      'X-Plan',
      'X-Internal-User',
      'X-Forwarded-User',
      'X-Account-Id',
    ]
      .map((name) => `${name}: pro\r\n`)
      .join('')
    expect((await rawHttp(url, get('/api/auth/profile', forged))).statuses).toEqual([401])
    const override = get(
      '/api/plans',
      'X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /api/auth/profile\r\n',
    )
    expect((await rawHttp(url, override)).statuses).toEqual([200])
  })

  it('cannot be removed by naming them in Connection, least of all the credentials', async () => {
    const token = await system.issuer.token('hopper')
    const request = `GET /api/auth/profile HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: mine\r\nConnection: close, authorization, x-request-id, x-api-key\r\n\r\n`
    const { statuses, text } = await rawHttp(url, request)
    expect(statuses).toEqual([200])
    expect(text).toContain('X-Request-Id: mine')
    expect(text).toContain('hopper@example.com')
  })

  it('that forge the host never appear in a link', async () => {
    const user = await system.issuer.token('host')
    const body = '{"tool":"a","title":"b","data":{}}'
    const forgeries = [
      'Host: evil.example',
      `Host: ${host()}\r\nX-Forwarded-Host: evil.example`,
      `Host: ${host()}\r\nForwarded: host=evil.example`,
    ]
    for (const forgery of forgeries) {
      const request = `POST /api/shares HTTP/1.1\r\n${forgery}\r\nAuthorization: Bearer ${user}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
      const { text, statuses } = await rawHttp(url, request)
      expect(statuses, text).toEqual([201])
      expect(text).not.toContain('evil.example')
      expect(text).toContain(`"share_url":"${url}/s/`)
    }
  })
})

describe('methods', () => {
  const methods = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'QUERY',
    'PROPFIND',
    'LOCK',
    'SEARCH',
  ]

  it('that a path does not support are 405 with Allow, before authentication', async () => {
    const paths: Record<string, string[]> = {
      '/api/snippets': ['GET', 'HEAD', 'POST', 'PUT'],
      '/api/snippets/AAAAAAAAAAAAAAAAAAAAAA': ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
      '/api/shares/AAAAAAAAAAAAAAAAAAAAAA': ['GET', 'HEAD', 'DELETE'],
      '/api/plans': ['GET', 'HEAD'],
      '/healthz': ['GET', 'HEAD'],
      '/s/AAAAAAAAAAAAAAAAAAAAAA': ['GET', 'HEAD'],
    }
    for (const [path, allowed] of Object.entries(paths)) {
      for (const method of methods) {
        const { statuses, text } = await rawHttp(
          url,
          `${method} ${path} HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`,
        )
        if (allowed.includes(method)) {
          expect([200, 401, 404], `${method} ${path}`).toContain(statuses[0])
        } else {
          expect(statuses, `${method} ${path}`).toEqual([
            method === 'QUERY' && statuses[0] === 400 ? 400 : 405,
          ])
          if (statuses[0] === 405)
            expect(/\r\nAllow: ([^\r]+)/.exec(text)?.[1]?.split(', ').sort()).toEqual([...allowed].sort())
        }
      }
    }
  })

  it('CONNECT opens no tunnel', async () => {
    const { statuses } = await rawHttp(
      url,
      `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`,
    )
    expect(statuses).toEqual([405])
  })

  it('CONNECT from a client that disconnects early does no harm', async () => {
    const { hostname, port } = new URL(url)
    for (let round = 0; round < 100; round += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      await new Promise((sent) => socket.write(`CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n`, sent))
      socket.resetAndDestroy()
    }
    expect((await rawHttp(url, get('/healthz'))).statuses).toEqual([200])
    expect(system.gatewayOutput()).not.toContain('"level":"fatal"')
  })

  it('HEAD responds like GET without a body', async () => {
    const { text } = await rawHttp(
      url,
      `HEAD /api/plans HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`,
    )
    expect(text).toMatch(/Content-Length: [1-9]/)
    expect(text.endsWith('\r\n\r\n')).toBe(true)
  })
})

describe('paths', () => {
  it('that are unknown are 404 problems in the API and pages elsewhere', async () => {
    const api = await system.anyone().get('/api/nothing')
    expect([api.status, api.json().code, api.headers.get('content-type')]).toEqual([
      404,
      'not_found',
      'application/problem+json',
    ])
    const page = await system.anyone().get('/nothing')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})

describe('every response', () => {
  it('has the security headers, whatever its status', async () => {
    const client = await system.user('headers')
    const responses = await Promise.all([
      client.get('/api/snippets'),
      client.get('/api/plans'),
      client.get('/api/snippets/AAAAAAAAAAAAAAAAAAAAAA'),
      client.get('/api/nothing'),
      client.get('/healthz'),
      client.post('/api/snippets', '{'),
      client.request('PUT', '/api/plans'),
      system.anyone().get('/api/snippets'),
      client.post('/api/snippets', { tool: 'a', title: 'b', data: {} }),
    ])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 404, 400, 405, 401, 201]))
    for (const { headers, status } of responses) {
      expect(headers.get('x-content-type-options'), String(status)).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
      expect(headers.get('cross-origin-resource-policy')).not.toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('content-type')).toMatch(/^application\/(problem\+json|json; charset=utf-8)$/)
      expect(headers.get('cache-control')).toMatch(/^(private, no-cache|no-store|public, max-age=60)$/)
    }
  })

  it('of the documentation page loads nothing from other hosts', async () => {
    const page = await system.anyone().get('/api/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /)
    const canonical = `<link rel="canonical" href="${url}/api/docs">`
    expect(page.text.replace(canonical, '')).not.toMatch(/src="(?!\/)|href="http|url\(/)
  })
})

describe('what programs look for', () => {
  it.each(['GET', 'HEAD'])('the API reference is found with a slash, too: %s', async (method) => {
    const moved = await system.anyone().request(method, '/api/docs/')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/docs'])
    expect((await system.anyone().get('/api/docs/x')).status).toBe(404)
    expect((await system.anyone().post('/api/docs/', {})).status).toBe(404)
  })

  it.each([
    ['/robots.txt', 200, 'text/plain; charset=utf-8', /^User-agent: \*\nDisallow:$/m],
    ['/favicon.ico', 200, 'image/svg+xml', /^<svg /],
    ['/sitemap.xml', 200, 'application/xml', /^<\?xml version="1.0"/],
    ['/manifest.webmanifest', 200, 'application/manifest+json', /^{"id"/],
    ['/.well-known/security.txt', 404, 'text/plain; charset=utf-8', /^Not found/],
  ])('%s is no page: %i', async (path, status, type, text) => {
    const { headers, ...found } = await system.anyone().get(path)
    expect([found.status, headers.get('content-type')]).toEqual([status, type])
    expect(found.text).toMatch(text)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

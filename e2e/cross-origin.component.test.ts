import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const allowedOrigin = 'https://app.example'
let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem({ env: { CORS_ORIGINS: allowedOrigin } })
})
afterAll(() => system?.stop())

describe('cross-origin requests', () => {
  it('may be read only from the configured origins, compared exactly', async () => {
    const others = [
      'null',
      'http://app.example',
      `${allowedOrigin}.evil.example`,
      `${allowedOrigin}:8443`,
      'https://evil.app.example',
      'HTTPS://APP.EXAMPLE',
      `${allowedOrigin}/`,
    ]
    const client = await system.user('origin')
    const good = await client.get('/api/snippets', { Origin: allowedOrigin })
    expect(good.headers.get('access-control-allow-origin')).toBe(allowedOrigin)
    expect(good.headers.get('vary')).toContain('Origin')
    for (const origin of others) {
      const response = await client.get('/api/snippets', { Origin: origin })
      expect(response.headers.get('access-control-allow-origin'), origin).toBeNull()
      expect(response.headers.get('vary'), origin).toContain('Origin')
      const preflight = await client.request('OPTIONS', '/api/snippets', {
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      })
      expect(preflight.headers.get('access-control-allow-origin'), origin).toBeNull()
    }
    const preflight = await system.anyone().request('OPTIONS', '/api/snippets', {
      headers: {
        Origin: allowedOrigin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      allowedOrigin,
    ])
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('without a preflight change nothing', async () => {
    const client = await system.user('simple')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await client.post('/api/snippets', '{"tool":"a","title":"b","data":{}}', {
        'Content-Type': type,
      })
      expect([response.status, response.json().code]).toEqual([415, 'unsupported_media_type'])
    }
    expect((await client.get('/api/snippets')).json().snippets).toEqual([])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawHttp } from './harness/raw-http.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

const dots = [
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '..%00',
  '..%0d%0a',
  '..;',
  '..%c0%af',
  '..%u2216',
  '...',
  '....',
  '%c0%ae%c0%ae',
  '%ef%bc%8e%ef%bc%8e',
]
const separators = ['/', '//', '\\', '%2f', '%5c', '/./', '%252f', '%c0%af', ';/', '/%20/', '%09/']
const fronts = ['/api', '/api/plans', '/api/shares', '/healthz', '/s', '/assets', '/api/docs']
const targets = ['api/snippets', 'api/auth/profile']

/** Spellings of private paths themselves. */
const others = [
  '//api/snippets',
  '/api/./snippets',
  '/api/../api/snippets',
  '/%61pi/snippets',
  '/API/snippets',
  '/api/snippets/',
  '/api//snippets',
  '/api/snippets;x=1',
  '/api/snippets%2f',
  '/api/snippets/.',
  '/api%2fsnippets',
  '/./api/snippets',
  '/api/snippets/..%2f..%2fhealthz',
  '/api/auth/profile/x.css',
  '/api/auth/profile.json',
  '/api/auth/%70rofile',
  '/s/..%2f..%2fapi/snippets',
  '/..;/api/snippets',
  '/api/snippets%00',
  '\\api\\snippets',
  'http://evil.example/api/snippets',
]

function* tricks(): Generator<string> {
  for (const front of fronts) {
    for (const dot of dots) {
      for (const separator of separators) {
        for (const target of targets) yield `${front}${separator}${dot}${separator}${target}`
      }
    }
  }
}

it('no spelling of a path bypasses authentication', { timeout: 240_000 }, async () => {
  const paths = [...tricks(), ...others]
  expect(paths.length).toBeGreaterThan(2_000)
  const url = system.baseUrl()
  const host = new URL(url).host
  const ask = async (path: string): Promise<void> => {
    const { statuses, text } = await rawHttp(
      url,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    expect([400, 401, 404], `${path}: ${text.slice(0, 200)}`).toContain(statuses[0])
    expect(text, path).not.toMatch(/"snippets"|"usage"/)
  }
  for (let from = 0; from < paths.length; from += 20) await Promise.all(paths.slice(from, from + 20).map(ask))
})

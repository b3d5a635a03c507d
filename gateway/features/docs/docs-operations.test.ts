import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRequestContext } from '../../request/request-context.js'
import { documentationOperations } from './docs-operations.js'

const operations = documentationOperations({
  document: () => '{}',
  page: (nonce) => `<script nonce="${nonce}"></script>`,
  summary: () => '# Snipkeep\n',
  isIndexed: true,
})
const server = createServer((request, response) => {
  const operation = operations.find(({ path }) => path === request.url)
  if (operation?.access === 'public') void operation.handle(createRequestContext(request, response, '', ''))
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers })
}

it.each(['/api/openapi.json', '/api/docs', '/llms.txt'])(
  '%s is not sent again to a client that has it',
  async (path) => {
    const first = await get(path)
    const tag = first.headers.get('etag') ?? ''
    expect(first.status).toBe(200)
    expect((await first.text()).length).toBeGreaterThan(0)
    for (const known of [tag, '*', `"x", ${tag}`, `W/${tag}`]) {
      const again = await get(path, { 'If-None-Match': known })
      expect(again.status, known).toBe(304)
      expect(again.headers.get('etag')).toBe(tag)
    }
    expect((await get(path, { 'If-None-Match': '"x"' })).status).toBe(200)
  },
)

it.each(['/api/openapi.json', '/api/docs', '/llms.txt'])(
  '%s is compressed for who accepts it, with a tag of its own for each form',
  async (path) => {
    const plain = await get(path, { 'Accept-Encoding': 'identity' })
    const tags = new Set([plain.headers.get('etag')])
    expect([plain.headers.get('vary'), plain.headers.get('content-encoding')]).toEqual([
      'Accept-Encoding',
      null,
    ])
    const body = (await plain.text()).replaceAll(/nonce="[^"]*"/g, '')
    for (const coding of ['br', 'gzip']) {
      for (const _round of [1, 2]) {
        const response = await get(path, { 'Accept-Encoding': coding })
        expect(response.headers.get('content-encoding')).toBe(coding)
        expect(response.headers.get('vary')).toBe('Accept-Encoding')
        tags.add(response.headers.get('etag'))
        expect((await response.text()).replaceAll(/nonce="[^"]*"/g, '')).toBe(body)
      }
    }
    expect(tags.size).toBe(3)
  },
)

it('the page runs only scripts with its nonce, a new one each time, under a policy without gaps', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 5; round += 1) {
    const response = await get('/api/docs')
    const policy = response.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([A-Za-z0-9+/=]{24})'/.exec(policy)?.[1] ?? ''
    expect(await response.text()).toBe(`<script nonce="${nonce}"></script>`)
    const findings = new CspEvaluator(new CspParser(policy).csp).evaluate()
    expect(findings.filter(({ severity }) => severity <= Severity.MEDIUM)).toEqual([])
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    seen.add(nonce)
  }
  expect(seen.size).toBe(5)
})

it('a revalidated page keeps its policy, and shared caches don’t store it', async () => {
  const first = await get('/api/docs')
  expect(first.headers.get('cache-control')).toMatch(/^private/)
  const again = await get('/api/docs', { 'If-None-Match': first.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect(again.headers.get('content-security-policy')).toBeNull()
})

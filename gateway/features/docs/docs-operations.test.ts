import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRequestContext } from '../../http/request-context.js'
import { documentationOperations, taggedBody } from './docs-operations.js'

const operations = documentationOperations({
  document: () => taggedBody(Buffer.from('{}')),
  page: () => ({ ...taggedBody(Buffer.from('<p>')), styleHash: 'sha256-x' }),
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

it.each(['/api/openapi.json', '/api/docs'])('%s is not sent again to those who have it', async (path) => {
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
})

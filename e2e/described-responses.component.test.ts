import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient, RequestOptions } from './harness/api-client.js'
import { type DescribedResponses, describedResponses } from './harness/described-responses.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient
let described: DescribedResponses
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
  described = await describedResponses(ada)
  const fields = { tool: 'csv', title: 'Known', data: { csv: 'a,b\n1,2\n3,4\n', n: 1 } }
  const idOf = async (kind: string) => (await ada.post(`/api/${kind}`, fields)).json<{ id: string }>().id
  ids = { snippets: await idOf('snippets'), shares: await idOf('shares') }
})
afterAll(() => system?.stop())

const asText = { headers: { Accept: 'text/plain' } }
const raws = ['/api/snippets/{id}/raw', '/api/snippets/{id}/revisions/1/raw', '/api/shares/{id}/raw']
const created = { tool: 'csv', title: 'New', data: {} }
const mcp = { Accept: 'application/json, text/event-stream' }

type Case = readonly [request: string, template: string, options: RequestOptions, status: number]

const cases: readonly Case[] = [
  ...raws.flatMap((path): readonly Case[] => {
    const template = path.replace('/1/', '/{version}/')
    return [
      [`GET ${path}`, template, {}, 200],
      [`GET ${path}?pointer=/csv&download`, template, {}, 200],
      [`GET ${path}?pointer=/csv&rows=1-1`, template, {}, 200],
      [`GET ${path}`, template, { headers: { Range: 'bytes=1-3' } }, 206],
      [`GET ${path}?pointer=/csv`, template, { headers: { Range: 'bytes=1-3' } }, 206],
      [`GET ${path}`, template, { headers: { 'If-None-Match': '*' } }, 304],
      [`GET ${path}`, template, { headers: { 'If-Match': '"other"' } }, 412],
    ]
  }),
  ['POST /api/snippets', '/api/snippets', { body: created, ...asText }, 201],
  ['POST /api/shares', '/api/shares', { body: created, ...asText }, 201],
  ['PUT /api/snippets/@new', '/api/snippets/{id}', { body: created, ...asText }, 201],
  ['PUT /api/snippets/@new', '/api/snippets/{id}', { body: created, ...asText }, 200],
  ...(
    [
      ['json-format', '{}', 200],
      ['json-to-csv', '[{"a":1}]', 200],
      ['json-format?save=true', '{}', 201],
      ['json-format?save=@tool', '{}', 201],
      ['json-format?save=@tool', '{}', 200],
      ['json-format?share=true', '{}', 201],
      ['json-format?nonsense=true', '{}', 400],
    ] as const
  ).flatMap(([tool, body, status]): readonly Case[] => [
    [`POST /api/tools/${tool}`, '/api/tools/{name}', { body }, status],
  ]),
  ['GET /api/openapi.json', '/api/openapi.json', {}, 200],
  ['GET /api/docs', '/api/docs', {}, 200],
  ['GET /llms.txt', '/llms.txt', {}, 200],
  ['GET /llms.txt', '/llms.txt', { headers: { 'If-None-Match': '*' } }, 304],
  ['GET /api/docs', '/api/docs', { headers: { 'If-None-Match': '*' } }, 304],
  ['GET /api/events', '/api/events', {}, 200],
  ['GET /api/operator/queues', '/api/operator/queues', {}, 404],
  ['POST /mcp', '/mcp', { body: {}, headers: mcp }, 400],
  ['POST /mcp', '/mcp', { body: '{', headers: mcp }, 400],
  ['POST /mcp', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: mcp }, 200],
]

it.each(cases)('%s is as described for %s with %j: %i', async (request, template, options, status) => {
  const [method = '', path = ''] = request.split(' ')
  const [, , kind = ''] = path.split('/')
  const response = await ada.request(method, path.replace('{id}', ids[kind] ?? ''), options)
  expect(response.status, response.text).toBe(status)
  const operation = described.document.paths[template]?.[method.toLowerCase()]
  described.check(operation, response, `${request}: ${response.text.slice(0, 400)}`)
})

import { type Client, ResourceNotFoundError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { connectMcpHttp, type McpEra, revisionOf } from './harness/mcp-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient
let eve: ApiClient
let headers: Readonly<Record<string, string>>

beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
  eve = await system.user('eve', 'pro')
  const { key } = (await ada.post('/api/keys', { name: 'assistant' })).json<{ key: string }>()
  headers = { Authorization: `Bearer ${key}` }
})
afterAll(() => system?.stop())

async function idOf(user: ApiClient, kind: string, more: object = {}): Promise<string> {
  const made = await user.post(`/api/${kind}`, { tool: 'csv', title: 'Kept', data: { v: 1 }, ...more })
  return made.json<{ id: string }>().id
}

describe.each(['legacy', 'auto'] as const satisfies readonly McpEra[])('for a client of era %s', (era) => {
  let client: Client
  const errors: Error[] = []

  beforeAll(async () => {
    const changed = { onChanged: () => {} }
    client = await connectMcpHttp(system.baseUrl(), headers, era, {
      listChanged: { tools: changed, resources: changed },
    })
    client.onerror = (error) => errors.push(error)
  })
  afterAll(() => client?.close())

  it(`promises no notifications (${revisionOf[era]}), so clients subscribe to none`, async () => {
    const { tools, resources } = client.getServerCapabilities() ?? {}
    expect([tools?.listChanged, resources?.listChanged]).toEqual([false, false])
    await client.listTools()
    expect(errors).toEqual([])
  })

  it('saves, shares and deletes with results for programs, which equal the text', async () => {
    const { tools } = await client.listTools()
    const structured = tools.filter(({ outputSchema }) => outputSchema !== undefined)
    const names = ['save_output', 'share_output', 'delete_output', 'delete_share']
    expect(structured.map(({ name }) => name)).toEqual(names)
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: args })
      const [first] = content
      expect(JSON.parse(first?.type === 'text' ? first.text : '')).toEqual(structuredContent)
      return Object(structuredContent) as Record<string, unknown>
    }
    const saved = await call('save_output', { tool: 'csv', content: 'a\n', key: 'text' })
    expect(saved).toMatchObject({ tool: 'csv', pointer: '/text' })
    const shared = await call('share_output', { id: saved.id })
    expect(shared).toHaveProperty('share_url')
    for (const [name, { id }] of [
      ['delete_output', saved],
      ['delete_share', shared],
    ] as const)
      expect(await call(name, { id })).toEqual({ id, deleted: true })
  })

  it('reads what exists', async () => {
    for (const kind of ['snippets', 'shares']) {
      const uri = `snipkeep://${kind}/${await idOf(ada, kind)}`
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text: '{"v":1}' }])
    }
  })

  it.each([
    ['a missing snippet', async () => 'snippets/doesnotexist'],
    ['a missing name', async () => 'snippets/@none'],
    ['a missing share', async () => 'shares/doesnotexist'],
    ['a resource of no template', async () => 'accounts/me'],
    ['what is not percent-encoded', async () => 'snippets/%zz'],
    ['a gated share', async () => `shares/${await idOf(eve, 'shares', { burn: true })}`],
    ['a snippet of somebody else’s', async () => `snippets/${await idOf(eve, 'snippets')}`],
  ])('says that there is no such resource: %s', async (_name, path) => {
    const uri = `snipkeep://${await path()}`
    const error = await client.readResource({ uri }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ResourceNotFoundError)
    expect(error).toMatchObject({ code: -32602, data: { uri } })
  })
})

it('acknowledges a subscription to nothing, and keeps no stream open', async () => {
  const method = 'subscriptions/listen'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revisionOf.auto,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { toolsListChanged: true }, _meta: meta }
  const { status, text } = await system.anyone().post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method, params },
    {
      ...headers,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revisionOf.auto,
      'Mcp-Method': method,
    },
  )
  expect(status).toBe(200)
  const sent = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  expect(sent).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ])
})

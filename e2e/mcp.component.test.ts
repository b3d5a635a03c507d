import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import type { ApiClient } from './harness/api-client.js'
import { callTool, connectMcpHttp, type McpEra, revisionOf } from './harness/mcp-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const allowedOrigin = 'https://assistant.example'
let system: SystemInProcess
let ada: ApiClient
let key: string
let client: Client

async function makeKey(scopes: readonly string[]): Promise<string> {
  return (await ada.post('/api/keys', { name: 'assistant', scopes })).json<{ key: string }>().key
}

beforeAll(async () => {
  system = await startSystem({ env: { CORS_ORIGINS: allowedOrigin, PLAN_FREE_SNIPPETS: '1' } })
  ada = await system.user('ada', 'pro')
  key = await makeKey(['read', 'write'])
  client = await connectMcpHttp(system.baseUrl(), { Authorization: `Bearer ${key}` })
})
afterAll(async () => {
  await client?.close()
  await system?.stop()
})

const toolsCall = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** A message of the 2025 revisions, which need no handshake here. */
function post(body: unknown, headers: Record<string, string> = { 'X-API-Key': key }) {
  return system.anyone().request('POST', '/mcp', {
    body,
    headers: { Accept: 'application/json, text/event-stream', ...headers },
  })
}

for (const era of ['legacy', 'auto'] as const satisfies readonly McpEra[]) {
  it(`serves clients of revision ${revisionOf[era]}, with the key in either header`, async () => {
    for (const headers of [{ Authorization: `Bearer ${key}` }, { 'X-API-Key': key }]) {
      const one = await connectMcpHttp(system.baseUrl(), headers as Record<string, string>, era)
      expect(one.getNegotiatedProtocolVersion()).toBe(revisionOf[era])
      const { tools } = await one.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'get_output',
        'list_outputs',
        'list_shares',
        'compare_outputs',
        'save_output',
        'share_output',
        'delete_output',
        'delete_share',
        'check_output',
        'convert',
        'run_tool',
      ])
      expect((await one.listTools()).tools).toEqual(tools)
      const { texts } = await callTool(one, 'save_output', {
        tool: 'csv',
        content: 'a\n1\n',
        name: `of-${era}`,
      })
      expect(JSON.parse(texts[0] ?? '')).toMatchObject({ tool: 'csv', name: `of-${era}` })
      expect((await callTool(one, 'get_output', { id: `@of-${era}`, pointer: '/csv' })).texts[1]).toBe(
        'a\n1\n',
      )
      await one.close()
    }
  })
}

it('keeps every text byte for byte', async () => {
  for (const content of hostileStrings.filter((text) => text.isWellFormed()).slice(0, 25)) {
    const { first } = await callTool(client, 'save_output', {
      tool: 'text',
      content,
      key: 'text',
      name: 'exact',
    })
    expect(first.pointer).toBe('/text')
    expect((await ada.get(`/api/snippets/${first.id}/raw?pointer=/text`)).text).toBe(
      content.replace(/^\ufeff/, ''),
    )
    expect((await callTool(client, 'get_output', { id: '@exact', pointer: '/text' })).texts[1]).toBe(content)
  }
})

it('rejects a lone surrogate instead of storing another character', async () => {
  const { isError, texts } = await callTool(client, 'save_output', {
    tool: 'text',
    content: 'a\ud83d',
    name: 'half',
  })
  expect([isError, texts[0]]).toEqual([true, expect.stringContaining('surrogate')])
  expect((await ada.get('/api/snippets/@half')).status).toBe(404)
})

it('reads rows of CSV and of arrays', async () => {
  await callTool(client, 'save_output', { tool: 'csv', content: 'a\n1\n2\n3\n', name: 'rows' })
  const read = (rows: string) => callTool(client, 'get_output', { id: '@rows', pointer: '/csv', rows })
  const { first, texts } = await read('2-3')
  expect([first.rows, first.total_rows, texts[1]]).toEqual(['2-3', 3, 'a\n2\n3\n'])
  expect(await read('3-2')).toMatchObject({ isError: true })
})

it('compares outputs exactly, in a result that is not too long', async () => {
  const save = (name: string, content: string) =>
    callTool(client, 'save_output', { tool: 'csv', content, name })
  const compare = (how: object) => callTool(client, 'compare_outputs', { a: '@before', ...how })
  await save('before', 'id,n\n1,1.0\n2,b\n')
  await save('after', 'id,n\n1,1.00\n2,b\n3,c\n')
  const { first } = await compare({ b: '@after', key: 'id' })
  expect(first).toMatchObject({ equal: false, as: 'csv', summary: { added: 1, changed: 1, removed: 0 } })
  expect(first.changes).toContainEqual(expect.objectContaining({ from: '1.0', to: '1.00' }))
  await save('long', Array.from({ length: 60 }, (_, row) => `${row} ${'€'.repeat(400)}\n`).join(''))
  await save('wide', `id,${Array.from({ length: 3_000 }, (_, column) => `column ${column}`)}\n1\n`)
  for (const how of [{ b: '@long' }, { b: '@wide', key: 'id' }]) {
    const text = (await compare(how)).texts.join('')
    expect(text).toContain('key' in how ? '… (3000 columns)' : '"truncated":true')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192)
  }
  await save('noted', 'export of today\n# by hand\nid,n\n1,1.0\n# more\n2,"a"b\n')
  await save('noted-after', '\n# by nobody\nid,n\n1,1.0\n2,"a"b\n')
  const lines = { a: '@noted', b: '@noted-after', key: 'id', skip: 1, comment: '#' }
  const noted = await compare({ ...lines, quotes: 'lenient' })
  expect(noted.first).toMatchObject({ equal: true, as: 'csv' })
  expect(await compare({ ...lines, quotes: 'strict' }), 'wrong quotes').toMatchObject({ isError: true })
  expect(await compare({ b: '@none' })).toMatchObject({ isError: true })
  const wrongKey = await compare({ b: '@after', key: 'sku' })
  expect([wrongKey.isError, wrongKey.texts.join('')]).toEqual([true, expect.stringContaining('not in both')])
})

it('converts and formats exactly, within one result, with the errors of the API', async () => {
  const content = '[{"id":12345678901234567890,"a":1.50}]'
  const made = await callTool(client, 'convert', { from: 'json', to: 'csv', content })
  expect([made.first, made.texts[1]]).toEqual([
    { tool: 'json-to-csv', truncated: false },
    'id,a\n12345678901234567890,1.50\n',
  ])
  const types = await callTool(client, 'convert', {
    from: 'json',
    to: 'ts',
    content,
    options: { name: 'Rows' },
  })
  expect(types.texts[1]).toContain('export type Rows = Row[]')
  const found = await callTool(client, 'run_tool', { tool: 'json-query', content, options: { path: '$..a' } })
  expect(JSON.parse(found.texts[1] ?? '')).toEqual([1.5])
  const kept = await callTool(client, 'run_tool', { tool: 'json-repair', content: '[1,]' })
  expect(kept.first).toMatchObject({ truncated: false, notes: [{ line: 1, column: 3 }] })
  const long = await callTool(client, 'run_tool', {
    tool: 'json-minify',
    content: `["${'€'.repeat(3_000)}"]`,
  })
  expect(long.first).toMatchObject({
    truncated: true,
    rest: expect.stringContaining('snipkeep tool json-minify FILE'),
  })
  expect(Buffer.byteLength(long.texts.join(''))).toBeLessThanOrEqual(8_192)
  const bad = await callTool(client, 'convert', { from: 'json', to: 'yaml', content: '[1,\n2' })
  expect([bad.isError, bad.first.code]).toEqual([true, 'invalid_input'])
  const option = await callTool(client, 'convert', { from: 'json', to: 'csv', content, options: { nest: 1 } })
  expect([option.isError, option.texts[0]]).toEqual([true, expect.stringContaining('nested')])
  const way = await callTool(client, 'convert', { from: 'json', to: 'png', content })
  expect([way.isError, way.texts[0]]).toEqual([true, expect.stringContaining('json xml')])
})

it('cuts long content between characters, and the pieces add up to the whole', async () => {
  const content = '€uro, 🦉, ä; '.repeat(2_000)
  await callTool(client, 'save_output', { tool: 'text', content, key: 'text', name: 'long' })
  const pieces: string[] = []
  for (let offset: unknown = 0; offset !== undefined; ) {
    const { first, texts } = await callTool(client, 'get_output', { id: '@long', pointer: '/text', offset })
    expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(8_192)
    expect(first).toMatchObject({ size_bytes: Buffer.byteLength(content), truncated: 'next_offset' in first })
    pieces.push(texts[1] ?? '')
    offset = first.next_offset
  }
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.join('')).toBe(content)
  const resource = await client.readResource({ uri: 'snipkeep://snippets/@long' })
  const [data, rest] = resource.contents as { text: string }[]
  expect(Buffer.byteLength(data?.text ?? '')).toBeLessThanOrEqual(8_192)
  expect(rest?.text).toContain('get_output')
})

it('shares a snippet or text publicly, lists both, and deletes them', async () => {
  const json = '{"id":12345678901234567890,"price":1.10}'
  const made = (
    await ada.request('POST', '/api/snippets?tool=json-formatter&title=Exact', {
      body: json,
      headers: { 'Content-Type': 'application/vnd.snipkeep.data+json' },
    })
  ).json<{ id: string }>()
  const shared = await callTool(client, 'share_output', { id: made.id, expires_in: 3_600 })
  expect(shared.first).toMatchObject({ title: 'Exact', share_url: expect.stringContaining('/s/') })
  const url = String(shared.first.share_url)
  expect((await system.anyone().get(`/api/shares/${shared.first.id}/raw`)).text).toBe(json)
  expect((await callTool(client, 'get_output', { id: url })).texts[1]).toBe(json)
  const note = { content: '# Hi', tool: 'markdown', title: 'Note', burn: true }
  const text = await callTool(client, 'share_output', note)
  expect(text.first).toMatchObject({ gated: { password: false, views_left: 1 } })
  const listed = (await callTool(client, 'list_shares')).first.shares
  expect(listed).toMatchObject([{ id: text.first.id, title: 'Note' }, { id: shared.first.id }])
  const { first } = await callTool(client, 'list_outputs', { tool: 'json-formatter' })
  expect(first.outputs).toEqual([expect.objectContaining({ id: made.id, title: 'Exact' })])
  expect((await callTool(client, 'delete_share', { id: url })).first).toMatchObject({ deleted: true })
  expect((await system.anyone().get(`/api/shares/${shared.first.id}`)).status).toBe(404)
  expect((await callTool(client, 'delete_output', { id: made.id })).first).toMatchObject({ deleted: true })
  expect((await callTool(client, 'get_output', { id: made.id })).first).toMatchObject({ code: 'not_found' })
})

it('lists fit into one result, however long titles and tags are', async () => {
  const wide = '🦉'.repeat(90)
  for (let count = 0; count < 15; count += 1)
    await ada.post('/api/snippets', { tool: 'wide', title: wide, tags: ['ä'.repeat(30), 'b'], data: {} })
  const { first, texts } = await callTool(client, 'list_outputs', { tool: 'wide', limit: 15 })
  expect(first.outputs).toHaveLength(15)
  expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(8_192)
})

it('returns the API’s errors with their code, and checks scopes per tool', async () => {
  const reader = await connectMcpHttp(system.baseUrl(), { 'X-API-Key': await makeKey(['read']) })
  expect((await callTool(reader, 'list_outputs')).isError).toBe(false)
  const refused = await callTool(reader, 'save_output', { tool: 'csv', content: 'a' })
  expect([refused.isError, refused.first.code]).toEqual([true, 'insufficient_scope'])
  await reader.close()
  await system.user('fay', 'free')
  const token = await system.issuer.token('fay')
  const free = await connectMcpHttp(system.baseUrl(), { Authorization: `Bearer ${token}` })
  expect((await callTool(free, 'save_output', { tool: 'csv', content: 'a' })).isError).toBe(false)
  const full = await callTool(free, 'save_output', { tool: 'csv', content: 'b' })
  expect([full.isError, full.first.code]).toEqual([true, 'snippet_limit_reached'])
  expect((await callTool(free, 'get_output', { id: '@long' })).first.code).toBe('not_found')
  await free.close()
  const wrong = await callTool(client, 'save_output', { tool: 'csv', content: 'a', name: 'No Such Name' })
  expect([wrong.isError, wrong.texts[0]]).toEqual([true, expect.stringContaining('1 to 100 of a-z')])
  const noTitle = await callTool(client, 'save_output', { tool: 'csv', content: 'a', title: '' })
  expect([noTitle.isError, noTitle.first.code]).toEqual([true, 'validation_failed'])
})

it('rejects missing credentials, foreign origins, and all methods but POST', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const anonymous = await post(list, {})
  expect([anonymous.status, anonymous.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  const foreign = await post(list, { 'X-API-Key': key, Origin: 'https://evil.example' })
  expect([foreign.status, foreign.json().code]).toEqual([403, 'origin_not_allowed'])
  for (const origin of [allowedOrigin, system.baseUrl()])
    expect((await post(list, { 'X-API-Key': key, Origin: origin })).status).toBe(200)
  for (const method of ['GET', 'DELETE']) {
    const other = await system.withKey(key).request(method, '/mcp')
    expect([other.status, other.headers.get('Allow')]).toEqual([405, 'POST'])
  }
  expect((await system.anyone().get('/.well-known/oauth-protected-resource')).status).toBe(404)
})

it('rejects a call with 10 MB and recommends the command line', async () => {
  const huge = await post(toolsCall('save_output', { tool: 'csv', content: 'x'.repeat(10_000_000) }))
  expect([huge.status, huge.json().code]).toEqual([413, 'data_too_large'])
  expect(huge.json().detail).toContain('snipkeep save FILE')
})

it('rejects invalid messages, and too many at once', async () => {
  expect((await post('{"jsonrpc":')).json().code).toBe('malformed_json')
  expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).json().code).toBe('malformed_json')
  const text = await post('{}', { 'X-API-Key': key, 'Content-Type': 'text/plain' })
  expect([text.status, text.json().code]).toEqual([415, 'unsupported_media_type'])
  const message = { jsonrpc: '2.0', method: 'tools/list' }
  const batch = Array.from({ length: 11 }, (_, id) => ({ ...message, id }))
  expect((await post(batch)).status).toBe(400)
  expect((await post(batch.slice(0, 10))).status).toBe(200)
})

it('logs each request of a tool under the message’s request id', async () => {
  await post(toolsCall('list_outputs', {}), { 'X-API-Key': key, 'X-Request-Id': 'from-an-assistant' })
  await expect
    .poll(
      () =>
        system
          .gatewayOutput()
          .split('\n')
          .filter((line) => line.includes('from-an-assistant')).length,
    )
    .toBe(2)
})

it('check_output judges by a contract, within the length of a result, and decides nothing', async () => {
  const check = (text: string, more: object = {}) =>
    callTool(client, 'check_output', { against: '@checked', content: text, tool: 'csv', ...more })
  const rows = (price: string) => Array.from({ length: 300 }, (_, at) => `${at},${price}${'é'.repeat(200)}`)
  const table = (price: string) => `sku,price\n${rows(price).join('\n')}\n`
  expect((await check(table('1.00'))).first).toMatchObject({ verdict: 'new', state: 'pending', breaks: [] })
  await callTool(client, 'save_output', { tool: 'csv', content: table('1.00'), name: 'checked' })
  const same = await check(table('1.00'), { accept: 'never' })
  expect(same.first).toMatchObject({ verdict: 'same', state: 'pending' })
  const broken = await check(table('2.00'))
  expect(broken.first).toMatchObject({
    verdict: 'breaks',
    state: 'pending',
    counts: { breaks: 300 },
    truncated: true,
  })
  expect(Buffer.byteLength(broken.texts.join(''))).toBeLessThan(8_192)
  const breaks = broken.first.breaks as readonly { rule: string; pointer: string }[]
  expect(breaks.length).toBeGreaterThan(3)
  expect(breaks[0]).toMatchObject({ rule: 'value', pointer: '/0/price' })
  const { tools } = await client.listTools()
  expect(tools.filter(({ name }) => /approve|reject|contract/.test(name))).toEqual([])
})

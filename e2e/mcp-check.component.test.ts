import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool, connectMcpHttp } from './harness/mcp-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let client: Client

beforeAll(async () => {
  system = await startSystem()
  const ada = await system.user('ada', 'pro')
  const { key } = (await ada.post('/api/keys', { name: 'assistant' })).json<{ key: string }>()
  client = await connectMcpHttp(system.baseUrl(), { Authorization: `Bearer ${key}` })
})
afterAll(async () => {
  await client?.close()
  await system?.stop()
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
  expect(broken.first.note).toMatch(/^@checked has no contract, so every difference breaks\. /)
  const { tools } = await client.listTools()
  expect(tools.filter(({ name }) => /approve|reject|contract/.test(name))).toEqual([])
})

it('check_output says what is wrong with what it is asked', async () => {
  const check = (against: string) => callTool(client, 'check_output', { against, content: 'a' })
  const id = '0123456789abcdefghijkl'
  for (const share of [`${system.baseUrl()}/s/${id}`, `snipkeep://shares/${id}`]) {
    const { isError, texts } = await check(share)
    expect([isError, texts]).toEqual([true, [expect.stringContaining('against is a share')]])
  }
  const unnamed = await check('@none')
  expect([unnamed.isError, unnamed.texts]).toEqual([
    true,
    ['tool is required: no snippet has this name yet.'],
  ])
})

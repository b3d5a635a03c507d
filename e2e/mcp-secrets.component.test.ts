import type { Client, ElicitResult } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool, connectMcpHttp } from './harness/mcp-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let key: string
let client: Client

beforeAll(async () => {
  system = await startSystem()
  const ada = await system.user('ada', 'pro')
  key = (await ada.post('/api/keys', { name: 'assistant' })).json<{ key: string }>().key
  client = await connectMcpHttp(system.baseUrl(), { Authorization: `Bearer ${key}` })
})
afterAll(async () => {
  await client?.close()
  await system?.stop()
})

it('asks before it publishes a secret, or says what it found', async () => {
  const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  const args = { tool: 'csv', content: `token\n${token}\n` }
  const refused = await callTool(client, 'share_output', args)
  expect([refused.isError, refused.texts[0]]).toEqual([
    true,
    expect.stringContaining('a GitHub token: ghp_…Lq17'),
  ])
  expect(refused.texts[0]).not.toContain(token)

  const questions: string[] = []
  let answer: ElicitResult = { action: 'accept', content: { publish: true } }
  const asking = await connectMcpHttp(system.baseUrl(), { 'X-API-Key': key }, 'auto', {
    capabilities: {
      elicitation: { form: {} },
    },
  })
  asking.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message)
    return answer
  })
  const published = await callTool(asking, 'share_output', args)
  expect(published.first).toMatchObject({ tool: 'csv', share_url: expect.stringContaining('/s/') })
  expect(questions).toEqual([expect.stringContaining('Publish anyway?')])
  expect(questions[0]).not.toContain(token)
  const { first: saved } = await callTool(asking, 'save_output', args)
  expect((await callTool(asking, 'share_output', { id: saved.id })).first).toHaveProperty('share_url')
  for (const no of [{ action: 'accept', content: { publish: false } }, { action: 'decline' }] as const) {
    answer = no
    expect((await callTool(asking, 'share_output', args)).texts).toEqual([
      'Nothing was published: the user declined.',
    ])
  }
  await asking.close()
})

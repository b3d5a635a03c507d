import { expect, it } from 'vitest'
import { startSystem } from './harness/system-in-process.js'

/** The open servers and connections of this process. */
const open = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP'))

it('two systems in parallel share nothing, and leave nothing when they have stopped', async () => {
  const before = open()
  const one = await startSystem({ gateways: 2, contents: 2, payments: { billings: 2 } })
  const began = performance.now()
  const other = await startSystem()
  process.stdout.write(`a system in process was ready after ${Math.round(performance.now() - began)} ms\n`)
  const snippet = { tool: 'csv', title: 'Mine', data: { v: 1 } }
  const owner = await one.user('ada', 'pro')
  const { id } = (await owner.post('/api/snippets', snippet)).json<{ id: string }>()
  expect((await owner.get(`/api/snippets/${id}`)).status).toBe(200)
  expect((await (await other.user('ada')).get(`/api/snippets/${id}`)).status).toBe(404)
  const token = { Authorization: `Bearer ${await one.issuer.token('ada')}` }
  expect((await other.anyone().get('/api/snippets', token)).status).toBe(401)
  await Promise.all([one.stop(), other.stop()])
  await expect.poll(open).toEqual(before)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

it('an unknown id of any form is 404 to every authenticated caller', async () => {
  const user = await system.user('finder', 'pro')
  const ids = [
    'A'.repeat(22),
    'x',
    '0',
    'null',
    '%00',
    '%2e%2e',
    'a%2fb',
    '٣'.repeat(22),
    'A'.repeat(5_000),
    '1 OR 1=1',
    "'--",
  ]
  for (const id of ids.map((raw) => (raw.includes('%') ? raw : encodeURIComponent(raw)))) {
    for (const path of [
      `/api/snippets/${id}`,
      `/api/snippets/${id}/raw`,
      `/api/snippets/${id}/revisions`,
      `/api/snippets/${id}/revisions/1`,
      `/api/shares/${id}`,
      `/api/shares/${id}/raw`,
      `/api/history/${id}`,
      `/api/keys/${id}`,
      `/api/keys/${id}/usage`,
    ]) {
      expect((await user.get(path)).status, path).toBe(404)
    }
    for (const of of ['snippets', 'shares', 'history', 'keys', 'trusted-publishers'])
      expect((await user.delete(`/api/${of}/${id}`)).status).toBe(404)
    expect((await user.patch(`/api/snippets/${id}`, { title: 'x' })).status).toBe(404)
  }
  expect((await user.get('/api/snippets/%ff')).status).toBe(400)
  expect((await user.get('/api/snippets/%')).status).toBe(400)
})

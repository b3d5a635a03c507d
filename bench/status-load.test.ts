import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { countStatuses } from './status-load.js'

test('responses are counted by their status, and broken connections as well', async () => {
  let served = 0
  const server = createServer((incoming, response) => {
    served += 1
    if (incoming.url === '/broken') response.destroy()
    else response.writeHead(incoming.method === 'POST' ? 201 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const requests = [
    { method: 'POST' as const, url: `${baseUrl}/`, headers: {}, body: '{}' },
    { method: 'GET' as const, url: `${baseUrl}/`, headers: {} },
    { method: 'GET' as const, url: `${baseUrl}/broken`, headers: {} },
  ]
  const latencies = createHistogram()
  const statuses = await countStatuses(requests, 1, () => served >= 9, latencies)
  expect(Object.fromEntries(statuses)).toEqual({ 0: 3, 201: 3, 503: 3 })
  expect(latencies.count).toBe(9)
  server.close()
})

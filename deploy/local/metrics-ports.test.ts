import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { testPort } from '#libs/testing/test-port.js'
import { assignMetricsPorts } from './metrics-ports.js'

const host = '127.0.0.1'

test('the gateway takes the port that was asked for, the others those after it that nobody has or is to have', async () => {
  const first = await testPort()
  const taken = createServer().listen(first + 2, host)
  await once(taken, 'listening')
  const { gateway, ...others } = await assignMetricsPorts(first, host, [first + 3])
  taken.close()
  const ports = Object.values(others)
  expect(gateway).toBe(first)
  expect(ports).toHaveLength(5)
  expect(ports).not.toContain(first + 2)
  expect(ports).not.toContain(first + 3)
  expect([...ports].sort((a, b) => a - b)).toEqual(ports)
  expect(ports[0]).toBeGreaterThan(first)
})

test('a port that is taken is told by the name of its variable', async () => {
  const port = await testPort()
  const taken = createServer().listen(port, host)
  await once(taken, 'listening')
  await expect(assignMetricsPorts(port, host, [])).rejects.toThrow(/METRICS_PORT/)
  taken.close()
})

test('a port that the system itself is to listen on is refused', async () => {
  await expect(assignMetricsPorts(8080, host, [8080, 8081])).rejects.toThrow(/METRICS_PORT must differ/)
})

test('too few ports after the first are told as well', async () => {
  await expect(assignMetricsPorts(65_534, host, [])).rejects.toThrow(/METRICS_PORT/)
})

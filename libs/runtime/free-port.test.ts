import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { testOnIpv6 } from '../testing/test-on-ipv6.js'
import { createPortFinder, freePort, whyPortIsTaken } from './free-port.js'

it('a free port is outside the ephemeral range, and not returned twice in a row', async () => {
  const finder = createPortFinder()
  const ports = await Promise.all(Array.from({ length: 200 }, () => finder.free()))
  expect(new Set(ports).size).toBe(200)
  for (const port of ports) expect(port).toSatisfy((one: number) => one >= 28_000 && one < 32_768)
})

it('the preferred port is returned unless it is in use', async () => {
  const port = await freePort(0)
  expect(port).toBeGreaterThan(0)
  expect(await freePort(port)).toBe(port)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  try {
    expect(await whyPortIsTaken(port)).toBe('EADDRINUSE')
    expect(await freePort(port)).not.toBe(port)
  } finally {
    server.close()
  }
})

testOnIpv6('a free port of localhost is also free on ::1', async () => {
  const port = await freePort(0, 'localhost')
  expect(await whyPortIsTaken(port, 'localhost')).toBeNull()
  const server = createServer().listen(port, '::1')
  await once(server, 'listening')
  try {
    expect(await whyPortIsTaken(port)).toBeNull()
    expect(await whyPortIsTaken(port, '127.0.0.1', 'localhost')).toBe('EADDRINUSE')
    expect(await freePort(port, 'localhost')).not.toBe(port)
  } finally {
    server.close()
  }
})

import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testOnIpv6 } from '#libs/testing/test-on-ipv6.js'
import { testPort } from '#libs/testing/test-port.js'
import { assignMetricsPorts, assignPorts, gatewayUrlOf, localUrlOf, openServiceSockets } from './addresses.js'
import { readConfig } from './config.js'

describe('the ports of a run', () => {
  test('metrics avoid the system’s ports', async () => {
    const [port, issuer, sandbox] = await Promise.all([testPort(), testPort(), testPort()])
    const env = { PORT: `${port}`, DEV_ISSUER_PORT: `${issuer}`, SANDBOX_PORT: `${sandbox}` }
    for (const taken of [port, issuer, sandbox])
      await expect(assignPorts(readConfig({ ...env, METRICS_PORT: `${taken}` }), null)).rejects.toThrow(
        /METRICS_PORT must differ/,
      )
    const alone = { ...env, METRICS_PORT: `${issuer}`, OIDC_ISSUERS: 'https://id.example=app' }
    expect((await assignPorts(readConfig(alone), null)).metrics?.gateway).toBe(issuer)
  })

  test('0 means any free port for each of them', async () => {
    const { gateway, issuer, sandbox } = await assignPorts(readConfig({ PORT: '0' }), null)
    expect(new Set([gateway, issuer, sandbox]).size).toBe(3)
    const port = await testPort()
    const env = { PORT: `${port}`, DEV_ISSUER_PORT: '0', SANDBOX_PORT: '0' }
    const beside = await assignPorts(readConfig(env), null)
    expect(beside.gateway).toBe(port)
    for (const one of [beside.issuer, beside.sandbox]) expect(one).toBeGreaterThan(1_023)
  })

  test('what nobody named goes beside the gateway, or elsewhere if that is taken', async () => {
    const config = readConfig({ PORT: `${await testPort()}` })
    const first = await assignPorts(config, null)
    const squatters = [first.issuer, first.sandbox].map((port) => createServer().listen(port, 'localhost'))
    await Promise.all(squatters.map((squatter) => once(squatter, 'listening')))
    try {
      const moved = await assignPorts(config, null)
      expect(moved.gateway).toBe(first.gateway)
      const ports = [moved.gateway, moved.issuer, moved.sandbox]
      expect(new Set([...ports, first.issuer, first.sandbox]).size).toBe(5)
      expect(
        (await assignPorts(readConfig({ PORT: '65535', OIDC_ISSUERS: 'https://id.example=app' }), null))
          .sandbox,
      ).toBeGreaterThan(0)
    } finally {
      for (const squatter of squatters) squatter.close()
    }
  })

  test('what nobody named never takes a named port', async () => {
    const [port, sandbox] = await Promise.all([testPort(), testPort()])
    const config = readConfig({ PORT: `${port}`, SANDBOX_PORT: `${sandbox}` })
    expect((await assignPorts(config, sandbox)).issuer).not.toBe(sandbox)
    expect((await assignPorts(config, port)).issuer).not.toBe(port)
  })

  test('an issuer stays where it was, as users belong to its address', async () => {
    const [port, before, named] = await Promise.all([testPort(), testPort(), testPort()])
    expect((await assignPorts(readConfig({ PORT: `${port}` }), before)).issuer).toBe(before)
    const other = { PORT: `${port}`, DEV_ISSUER_PORT: `${named}` }
    expect((await assignPorts(readConfig(other), before)).issuer).toBe(named)
    const taken = createServer().listen(before, 'localhost')
    await once(taken, 'listening')
    try {
      expect((await assignPorts(readConfig({ PORT: `${port}` }), before)).issuer).not.toBe(before)
    } finally {
      taken.close()
    }
  })

  testOnIpv6('a program on ::1 would get what is meant for localhost, so its port is taken', async () => {
    const [port, issuer, sandbox] = await Promise.all([testPort(), testPort(), testPort()])
    const env = { PORT: `${port}`, DEV_ISSUER_PORT: `${issuer}`, SANDBOX_PORT: `${sandbox}` }
    for (const [name, taken] of Object.entries(env)) {
      const other = createServer().listen(Number(taken), '::1')
      await once(other, 'listening')
      try {
        await expect(assignPorts(readConfig(env), null)).rejects.toThrow(
          `Port ${taken} (${name}) is already in use`,
        )
      } finally {
        other.close()
        await once(other, 'close')
      }
    }
    expect((await assignPorts(readConfig(env), null)).gateway).toBe(port)
  })
})

describe('the ports for metrics', () => {
  const host = '127.0.0.1'

  test('the gateway takes the requested port, the others the next free ones that nothing else will use', async () => {
    const first = await testPort()
    const taken = createServer().listen(first + 2, host)
    await once(taken, 'listening')
    const { gateway, ...others } = await assignMetricsPorts(first, host, [first + 3])
    taken.close()
    const ports = Object.values(others)
    expect(gateway).toBe(first)
    expect(ports).toHaveLength(6)
    expect(ports).not.toContain(first + 2)
    expect(ports).not.toContain(first + 3)
    expect([...ports].sort((a, b) => a - b)).toEqual(ports)
    expect(ports[0]).toBeGreaterThan(first)
  })

  test('a taken port is reported with its variable’s name', async () => {
    const port = await testPort()
    const taken = createServer().listen(port, host)
    await once(taken, 'listening')
    await expect(assignMetricsPorts(port, host, [])).rejects.toThrow(/METRICS_PORT/)
    taken.close()
  })

  test('a port that the system itself uses is rejected', async () => {
    await expect(assignMetricsPorts(8080, host, [8080, 8081])).rejects.toThrow(/METRICS_PORT must differ/)
  })

  test('running out of ports is reported as well', async () => {
    await expect(assignMetricsPorts(65_534, host, [])).rejects.toThrow(/METRICS_PORT/)
  })
})

describe('the address of the gateway', () => {
  test('published URLs point only to addresses the gateway listens on', () => {
    const urls = (host: string) => [gatewayUrlOf(host, 8080), localUrlOf(host, 8080)]
    expect(urls('127.0.0.1')).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080'])
    expect(urls('localhost')).toEqual(['http://localhost:8080', 'http://localhost:8080'])
    expect(urls('::1')).toEqual(['http://[::1]:8080', 'http://localhost:8080'])
    for (const everywhere of ['0.0.0.0', '::'])
      expect(urls(everywhere)).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080'])
    expect(urls('192.168.1.5')).toEqual(['http://192.168.1.5:8080', 'http://192.168.1.5:8080'])
    expect(urls('fd00::2')).toEqual(['http://[fd00::2]:8080', 'http://[fd00::2]:8080'])
  })
})

describe('the sockets of services', () => {
  let place = ''
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'snipkeep-sockets-'))
  })
  afterEach(() => rm(place, { recursive: true, force: true }))

  const folderOf = (address: string): string => dirname(address.slice('unix:'.length))

  test('each service has a path in a folder that only this user may enter', async () => {
    const { addresses, remove } = await openServiceSockets(place)
    expect(new Set(Object.values(addresses)).size).toBe(5)
    expect(new Set(Object.values(addresses).map(folderOf))).toEqual(new Set([join(place, 'run')]))
    expect((await stat(join(place, 'run'))).mode & 0o777).toBe(0o700)
    await remove()
    expect(await readdir(place)).toEqual([])
  })

  test('leftovers of a killed run are removed', async () => {
    await mkdir(join(place, 'run'), { mode: 0o755 })
    await writeFile(join(place, 'run', 'content.sock'), '')
    const { remove } = await openServiceSockets(place)
    expect(await readdir(join(place, 'run'))).toEqual([])
    expect((await stat(join(place, 'run'))).mode & 0o777).toBe(0o700)
    await remove()
  })

  test('if the path is too long, sockets go into a private temporary folder', async () => {
    const long = join(place, 'x'.repeat(100))
    await mkdir(long)
    const { addresses, remove } = await openServiceSockets(long)
    const folder = folderOf(addresses.content)
    expect(dirname(folder)).toBe(tmpdir())
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(long)).toEqual([])
    await remove()
    await expect(stat(folder)).rejects.toThrow(/ENOENT/)
  })
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { testOnIpv6 } from '#libs/testing/test-on-ipv6.js'
import { testPort } from '#libs/testing/test-port.js'
import { assignPorts } from './assign-ports.js'
import { readConfig } from './config.js'

test('metrics keep off the ports of the system', async () => {
  const [port, issuer, sandbox] = await Promise.all([testPort(), testPort(), testPort()])
  const env = { PORT: `${port}`, DEV_ISSUER_PORT: `${issuer}`, SANDBOX_PORT: `${sandbox}` }
  for (const taken of [port, issuer, sandbox])
    await expect(assignPorts(readConfig({ ...env, METRICS_PORT: `${taken}` }))).rejects.toThrow(
      /METRICS_PORT must differ/,
    )
  const alone = { ...env, METRICS_PORT: `${issuer}`, OIDC_ISSUERS: 'https://id.example=app' }
  expect((await assignPorts(readConfig(alone))).metrics?.gateway).toBe(issuer)
})

test('0 is any free port for each of them', async () => {
  const { gateway, issuer, sandbox } = await assignPorts(readConfig({ PORT: '0' }))
  expect(new Set([gateway, issuer, sandbox]).size).toBe(3)
  const port = await testPort()
  const env = { PORT: `${port}`, DEV_ISSUER_PORT: '0', SANDBOX_PORT: '0' }
  const beside = await assignPorts(readConfig(env))
  expect(beside.gateway).toBe(port)
  for (const one of [beside.issuer, beside.sandbox]) expect(one).toBeGreaterThan(1_023)
})

testOnIpv6('a program on ::1 would get what is meant for localhost, so its port is taken', async () => {
  const [port, issuer, sandbox] = await Promise.all([testPort(), testPort(), testPort()])
  const env = { PORT: `${port}`, DEV_ISSUER_PORT: `${issuer}`, SANDBOX_PORT: `${sandbox}` }
  for (const [name, taken] of Object.entries(env)) {
    const other = createServer().listen(Number(taken), '::1')
    await once(other, 'listening')
    try {
      await expect(assignPorts(readConfig(env))).rejects.toThrow(`Port ${taken} (${name}) is already in use`)
    } finally {
      other.close()
      await once(other, 'close')
    }
  }
  expect((await assignPorts(readConfig(env))).gateway).toBe(port)
})

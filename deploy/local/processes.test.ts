import { expect, test } from 'vitest'
import type { Ports } from './assign-ports.js'
import { readConfig } from './config.js'
import { planProcesses } from './processes.js'

const ports: Ports = {
  ...{
    gateway: 1,
    issuer: 2,
    content: 3,
    identity: 4,
    activity: 5,
    billing: 6,
    webhook: 7,
    sandbox: 8,
    web: 9,
  },
  metrics: { gateway: 11, content: 12, identity: 13, activity: 14, billing: 15, web: 16 },
}
const secrets = { apiKeyPepper: 'a', sandboxKey: 'b', sandboxWebhook: 'c' }

function metricsPorts(given: Ports): Readonly<Record<string, string | undefined>> {
  const env = { METRICS_PORT: '11' }
  const { stored, ...others } = planProcesses(
    readConfig(env),
    given,
    secrets,
    given.metrics === null ? {} : env,
  )
  const all = { ...stored('postgres://x'), gateway: others.gateway, web: others.web }
  return Object.fromEntries(Object.entries(all).map(([name, plan]) => [name, plan.env.METRICS_PORT]))
}

test('each process tells its metrics on a port of its own', () => {
  expect(metricsPorts(ports)).toEqual({
    ...{ gateway: '11', content: '12', identity: '13', activity: '14', billing: '15', web: '16' },
  })
})

test('without a port nobody tells any', () => {
  expect(new Set(Object.values(metricsPorts({ ...ports, metrics: null })))).toEqual(new Set([undefined]))
})

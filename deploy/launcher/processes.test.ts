import { expect, test } from 'vitest'
import type { Environment } from '#libs/config/read-variables.js'
import type { Ports } from './addresses.js'
import { readConfig } from './config.js'
import { databaseEnvironment, planProcesses } from './processes.js'

const ports: Ports = {
  ...{
    gateway: 1,
    issuer: 2,
    webhook: 7,
    sandbox: 8,
    web: 9,
  },
  metrics: { gateway: 11, content: 12, identity: 13, activity: 14, billing: 15, tools: 17, web: 16 },
}
const services = {
  content: 'unix:/c',
  identity: 'unix:/i',
  activity: 'unix:/a',
  billing: 'unix:/b',
  tools: 'unix:/t',
}
const secrets = { apiKeyPepper: 'a', sandboxKey: 'b', sandboxWebhook: 'c' }

function metricsPorts(given: Ports): Readonly<Record<string, string | undefined>> {
  const env = { METRICS_PORT: '11' }
  const { stored, ...others } = planProcesses(
    readConfig(env),
    { ports: given, services },
    secrets,
    given.metrics === null ? {} : env,
  )
  const all = {
    ...stored({ url: 'postgres://x', serving: {} }),
    gateway: others.gateway,
    tools: others.tools,
    web: others.web,
  }
  return Object.fromEntries(Object.entries(all).map(([name, plan]) => [name, plan.env.METRICS_PORT]))
}

test('each process runs a bundle, which the build makes', async () => {
  const { stored, ...others } = planProcesses(readConfig({}), { ports, services }, secrets, {})
  const plans = { ...stored({ url: 'postgres://x', serving: {} }), ...others }
  const module = new URL('./vite.config.mjs', import.meta.url).href
  const { default: config }: { default: { environments: object } } = await import(module)
  expect(Object.keys(config.environments).sort()).toEqual(Object.keys(plans).sort())
  for (const [name, { script }] of Object.entries(plans))
    expect(script.endsWith(`/bundles/${name}/main.js`), script).toBe(true)
})

test('each process serves metrics on its own port', () => {
  expect(metricsPorts(ports)).toEqual({
    ...{
      gateway: '11',
      content: '12',
      identity: '13',
      activity: '14',
      billing: '15',
      tools: '17',
      web: '16',
    },
  })
})

test('without a port there are no metrics', () => {
  expect(new Set(Object.values(metricsPorts({ ...ports, metrics: null })))).toEqual(new Set([undefined]))
})

test('services listen on their sockets, and are called there', () => {
  const { stored, web, gateway, tools } = planProcesses(readConfig({}), { ports, services }, secrets, {})
  const plans = stored({ url: 'postgres://x', serving: {} })
  for (const name of ['content', 'identity', 'activity', 'billing'] as const)
    expect(plans[name].env).toMatchObject({ GRPC_HOST: services[name] })
  const targets = {
    CONTENT_GRPC_TARGET: 'unix:/c',
    IDENTITY_GRPC_TARGET: 'unix:/i',
    ACTIVITY_GRPC_TARGET: 'unix:/a',
  }
  expect(gateway.env).toMatchObject({
    ...targets,
    BILLING_GRPC_TARGET: 'unix:/b',
    TOOLS_GRPC_TARGET: 'unix:/t',
  })
  expect(tools.env).toMatchObject({ GRPC_HOST: 'unix:/t' })
  expect(plans.billing.env).toMatchObject(targets)
  expect(plans.content.env).toMatchObject({ IDENTITY_GRPC_TARGET: 'unix:/i' })
  expect(web.env).toMatchObject({ CONTENT_GRPC_TARGET: 'unix:/c' })
})

test('the sandbox’s events and links go to the gateway’s address', () => {
  const plansOf = (env: Environment) => planProcesses(readConfig(env), { ports, services }, secrets, {})
  const { sandbox, gateway } = plansOf({ HOST: '192.168.1.5' })
  expect(sandbox.env.SANDBOX_WEBHOOK_URL).toBe('http://192.168.1.5:1/api/webhooks/stripe')
  expect(gateway.env.PUBLIC_BASE_URL).toBe('http://192.168.1.5:1')
  expect(plansOf({}).gateway.env.PUBLIC_BASE_URL).toBe('http://localhost:1')
})

test('a service with its own login uses it to serve, and the owner’s to migrate', () => {
  const url = 'postgres://owner@host/db'
  const database = { url, serving: { content: 'postgres://content@host/db' } }
  const { stored } = planProcesses(readConfig({}), { ports, services }, secrets, {})
  const plans = stored(database)
  const serving = { DATABASE_SERVING_ROLE: 'snipkeep_content_serving' }
  expect(plans.content.env).toMatchObject({ ...serving, DATABASE_URL: 'postgres://content@host/db' })
  expect(databaseEnvironment(database, 'content').migrate).toMatchObject({ ...serving, DATABASE_URL: url })
  expect(plans.identity.env.DATABASE_URL).toBe(url)
  expect(plans.identity.env.DATABASE_SERVING_ROLE).toBeUndefined()
})

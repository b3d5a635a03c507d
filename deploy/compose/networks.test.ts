import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const named = z.record(z.string(), z.unknown()).transform((networks) => Object.keys(networks))
const service = z.object({
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  networks: z.union([z.array(z.string()), named]),
})
const network = z.object({ internal: z.boolean().default(false) }).nullable()
const { services, networks } = z
  .object({ services: z.record(z.string(), service), networks: z.record(z.string(), network) })
  .parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }))

/** The services on a network; replicas count once. */
function on(name: string): readonly string[] {
  const there = Object.entries(services).filter(([, one]) => one.networks.includes(name))
  return [...new Set(there.map(([service]) => service.replace(/-\d$/, '')))].sort()
}

test('each part is on the networks it needs and no others', () => {
  const migrations = ['migrate-activity', 'migrate-billing', 'migrate-content', 'migrate-identity']
  expect(Object.fromEntries(Object.keys(networks).map((name) => [name, on(name)]))).toEqual({
    outside: ['accounts', 'gateway', 'issuer', 'proxy', 'sandbox'],
    calls: ['activity', 'billing', 'content', 'gateway', 'identity', 'web'],
    jobs: ['collector', 'gateway', 'prometheus', 'tools'],
    database: ['activity', 'billing', 'content', 'identity', ...migrations, 'postgres'],
    limits: ['content', 'gateway', 'identity', 'valkey'],
    telemetry: [
      'activity',
      'billing',
      'collector',
      'content',
      'gateway',
      'grafana',
      'identity',
      'prometheus',
      'web',
    ],
    'content-egress': ['content'],
    'billing-egress': ['billing', 'sandbox'],
    'telemetry-egress': ['collector', 'grafana'],
  })
  const internal = Object.keys(networks).filter((name) => networks[name]?.internal === true)
  expect(internal).toEqual(['calls', 'jobs', 'database', 'limits', 'telemetry'])
})

test('each part shares a network with every part it calls', () => {
  const apart = Object.entries(services).flatMap(([caller, { environment, networks: ours }]) =>
    Object.entries(environment).flatMap(([variable, value]) => {
      const host = /(?:\/\/\/?|@)([a-z]\w*)[\w.]*:\d+/.exec(String(value))?.[1] ?? ''
      const theirs = services[host]?.networks ?? ours
      return theirs.some((name) => ours.includes(name)) ? [] : [`${caller} cannot reach ${variable}`]
    }),
  )
  expect(apart).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const mount = z.union([
  z.string(),
  z.object({
    source: z.string(),
    read_only: z.boolean(),
    bind: z.object({ create_host_path: z.boolean() }),
  }),
])
const service = z.object({
  image: z.string(),
  build: z.object({ target: z.string() }).optional(),
  command: z.array(z.string()).default([]),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform((named) => Object.keys(named))])
    .default([]),
  volumes: z.array(mount).default([]),
  pull_policy: z.string().optional(),
  security_opt: z.array(z.string()).default([]),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
})
type Service = z.infer<typeof service>

const text = readFileSync('docker-compose.yml', 'utf8')
// Within the usual limit on aliases, so that linters and bots that update images can read it, too.
const document: unknown = parse(text, { merge: true })
const ipam = z.object({ config: z.array(z.object({ gateway: z.string() })) })
const network = z.object({ internal: z.boolean().default(false), ipam: ipam.optional() }).nullable()
const { services, networks } = z
  .object({ services: z.record(z.string(), service), networks: z.record(z.string(), network) })
  .parse(document)
const outside = networks.outside?.ipam?.config[0]
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('${REGISTRY'))
const script = readFileSync('deploy/compose/make-env.sh', 'utf8')

/** The services that start with these profiles. */
function startedWith(profiles: readonly string[]): ReadonlyMap<string, Service> {
  return new Map(
    Object.entries(services).filter(
      ([, one]) => one.profiles.length === 0 || one.profiles.some((profile) => profiles.includes(profile)),
    ),
  )
}

test.each([
  { profiles: [] },
  { profiles: ['payments'] },
  { profiles: ['trial'] },
  { profiles: ['trial', 'payments', 'scale', 'observability'] },
])('with the profiles $profiles, nothing depends on a service that does not start', ({ profiles }) => {
  const started = startedWith(profiles)
  const waits = [...started].flatMap(([name, one]) =>
    Object.entries(one.depends_on)
      .filter(([other, { required }]) => required && !started.has(other))
      .map(([other]) => `${name} waits for ${other}`),
  )
  expect(waits).toEqual([])
  expect(started.has('billing')).toBe(profiles.includes('payments'))
  expect(started.has('migrate-billing')).toBe(profiles.includes('payments'))
})

test('make-env.sh enables the parts it sets variables for: trial parts and payments', () => {
  expect(/^COMPOSE_PROFILES=(.*)$/m.exec(script)?.[1]).toBe('trial,payments')
  expect(/^PAYMENT_PROVIDER=(.*)$/m.exec(script)?.[1]).toBe('sandbox')
})

test('the documented command for each profile names those of .env as well, since --profile overrides them', () => {
  const written = /^COMPOSE_PROFILES=(.*)$/m.exec(script)?.[1] ?? ''
  const profiles = new Set(Object.values(services).flatMap((one) => one.profiles))
  for (const profile of profiles) {
    if (!written.split(',').includes(profile))
      expect(text).toContain(`COMPOSE_PROFILES=${written},${profile} docker`)
  }
  expect(`${text}${script}${readFileSync('docs/operations.md', 'utf8')}`).not.toMatch(
    /docker compose --profile/,
  )
})

/** The processes that read a variable, from the generated table. */
const readers = new Map(
  [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `(\w+)`[^|]* \| ([^|]+) \|/gm)].map(
    ([, name = '', those = '']): [string, readonly string[]] => [
      name,
      those === 'every process'
        ? ['gateway', 'content', 'identity', 'activity', 'billing', 'tools', 'web']
        : those.split(', ').filter((one) => one !== 'npm start'),
    ],
  ),
)

/** Set by the image, useless without TLS between processes, or fixed by compose itself. */
const setElsewhere = /^(METRICS_|GRPC_TLS_)|_GRPC_TARGET$/

test('every variable that docs/alerts.md recommends reaches the processes that read it', () => {
  const named = [...readFileSync('docs/alerts.md', 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => readers.has(name) && !setElsewhere.test(name))
  expect(named).toContain('DATABASE_POOL_MAX')
  for (const name of named) {
    for (const process of readers.get(name) ?? [])
      expect([name, process, String(services[process]?.environment[name])]).toEqual([
        name,
        process,
        expect.stringMatching(new RegExp(`\\$\\{${name}:-`)),
      ])
  }
})

/** A value with compose's substitutions applied, from the inside out. */
function filledIn(value: unknown, env: Readonly<Record<string, string>>): string {
  const innermost = /\$\{(\w+)(?::[-?]([^${}]*))?\}/
  let text = String(value)
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text)) {
    const [whole, name = '', fallback = ''] = found
    text = text.replace(whole, env[name] || fallback)
  }
  return text
}

test('the addresses named for a local proxy are those of the network', () => {
  const proxy = /ipv4_address: "([^"]+)"/.exec(text)?.[1]
  const line = `TRUSTED_PROXIES=${filledIn(outside?.gateway, {})},${filledIn(proxy, {})}`
  expect(script).toContain(`# ${line}\n`)
  expect(readFileSync('docs/operations.md', 'utf8')).toContain(`\`${line}\``)
  expect(filledIn(services.gateway?.environment.TRUSTED_PROXIES, {})).toBe(filledIn(proxy, {}))
  for (const name of ['gateway', 'proxy'])
    expect(services[name]?.ports[0]).toMatch(/^\$\{BIND:-0\.0\.0\.0\}:/)
})

test('SUBNET_PREFIX moves every fixed address, so that two installations fit on one machine', () => {
  const all = JSON.stringify(document)
  expect(filledIn(all, {})).toContain('172.30.80.250')
  expect(filledIn(all, { SUBNET_PREFIX: '172.30.81' })).not.toContain('172.30.80')
  expect(text).not.toMatch(/\$\{SUBNET_PREFIX(?!:-172\.30\.80\})/)
})

test('compose’s backup and restore commands name the right database and superuser', () => {
  const lines = [...readFileSync('docs/backup.md', 'utf8').matchAll(/^docker compose exec -T (.*)$/gm)]
  expect(lines.length).toBe(4)
  for (const [, line = ''] of lines) expect(line).toMatch(/^postgres \w+ --username=postgres /)
  const { POSTGRES_DB: database, POSTGRES_USER: user } = services.postgres?.environment ?? {}
  expect([database, user]).toEqual(['snipkeep', undefined])
  expect(lines[0]?.[1]).toContain(` ${database} > snipkeep.dump`)
})

test.each(['content', 'identity', 'activity', 'billing'])(
  '%s serves with a login that owns nothing, or with its former one if .env is older',
  (name) => {
    const before = { [`${name.toUpperCase()}_DATABASE_PASSWORD`]: 'owner' }
    const now = {
      ...before,
      [`${name.toUpperCase()}_SERVING_PASSWORD`]: 'serving',
      SERVING_SUFFIX: '_serving',
    }
    const logins = (part: string, env: Readonly<Record<string, string>>) => {
      const { DATABASE_URL: url, DATABASE_SERVING_ROLE: role } = services[part]?.environment ?? {}
      return [filledIn(url, env), filledIn(role, env)]
    }
    const at = (login: string) => `postgres://${login}@postgres:5432/snipkeep`
    const owner = at(`snipkeep_${name}:owner`)
    for (const part of [name, `migrate-${name}`])
      expect(logins(part, before)).toEqual([owner, `snipkeep_${name}`])
    expect(logins(name, now)).toEqual([at(`snipkeep_${name}_serving:serving`), `snipkeep_${name}_serving`])
    expect(logins(`migrate-${name}`, now)).toEqual([owner, `snipkeep_${name}_serving`])
  },
)

test('the Redis for rate limits evicts nothing, here and on Kubernetes', () => {
  const places = ['docker-compose.yml', 'deploy/kubernetes/components/valkey/valkey.yaml']
  for (const place of places)
    expect(
      [...readFileSync(place, 'utf8').matchAll(/--maxmemory-policy(?:, |\n +- )(\w+)/g)].map(
        ([, one]) => one,
      ),
    ).toEqual(['noeviction'])
})

test('the billing commands in the docs exist', () => {
  const pages = ['docs/alerts.md', 'docs/operations.md', 'docs/backup.md', 'docs/payments.md']
  const named = pages.flatMap((page) => [
    ...readFileSync(page, 'utf8').matchAll(/`([^`\n]*billing[^`\n]*|) ?reconcile`/g),
  ])
  expect(named.length).toBeGreaterThan(4)
  for (const [whole] of named) expect(whole).toBe('`node dist/services/billing/main.js reconcile`')
  expect(readFileSync('services/billing/main.ts', 'utf8')).toContain("'reconcile'")
})

test('no image is built twice under one name, and ours are never pulled from a public registry', () => {
  const built = Object.values(services).filter((one) => one.build !== undefined)
  const names = built.map(({ image }) => image)
  expect(new Set(names).size).toBe(names.length)
  for (const [name, { image, pull_policy: policy }] of ours) {
    expect([name, names.includes(image)]).toEqual([name, true])
    expect(policy, name).toMatch(/^\$\{PULL_POLICY:-never\}$/)
  }
})

test('every container’s log is limited', () => {
  for (const [name, { logging }] of Object.entries(services))
    expect([name, logging]).toEqual([
      name,
      { driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } },
    ])
})

test('no container can gain privileges', () => {
  for (const [name, one] of Object.entries(services))
    expect([name, one.security_opt]).toEqual([name, ['no-new-privileges:true']])
})

test('Postgres has time for its last checkpoint, and memory for parallel queries', () => {
  expect(services.postgres).toMatchObject({ stop_grace_period: '120s', shm_size: '256mb' })
})

test('no password is on a command line', () => {
  for (const [name, { command }] of Object.entries(services))
    expect([name, command.join(' ')]).toEqual([
      name,
      expect.not.stringMatching(/[^$]\$\{?\w*(PASSWORD|SECRET)/),
    ])
  expect(services.valkey?.command.join(' ')).toContain('requirepass "$$REDISCLI_AUTH"')
  expect(services.valkey?.environment.REDISCLI_AUTH).toMatch(/^\$\{REDIS_PASSWORD:\?/)
})

test('processes authenticate each other, and none starts without its certificate', () => {
  expect(text).not.toContain('GRPC_INSECURE')
  for (const name of [
    'gateway',
    'gateway-2',
    'gateway-3',
    'web',
    'content',
    'identity',
    'activity',
    'billing',
    'tools',
  ]) {
    const { environment, volumes } = services[name] ?? {}
    expect([name, environment?.GRPC_TLS_KEY_FILE]).toEqual([name, '/run/certificates/tls.key'])
    const source = `./.certificates/${name.replace(/-\d$/, '')}`
    expect(volumes).toContainEqual(
      expect.objectContaining({ source, read_only: true, bind: { create_host_path: false } }),
    )
  }
  for (const file of ['.gitignore', '.dockerignore'])
    expect(readFileSync(file, 'utf8')).toMatch(file === '.gitignore' ? /^\.certificates\/$/m : /^\*\*$/m)
})

test('metrics are not exposed unless Prometheus is enabled', () => {
  for (const name of ['gateway', 'web', 'content', 'identity', 'activity', 'billing', 'tools'])
    expect(services[name]?.environment.METRICS_HOST).toMatch(/^\$\{METRICS_HOST:-127\.0\.0\.1\}$/)
  expect(text).toContain('METRICS_HOST=0.0.0.0 COMPOSE_PROFILES=trial,payments,observability docker')
})

test('Grafana never starts with its default password', () => {
  expect(services.grafana?.environment.GF_SECURITY_ADMIN_PASSWORD).toMatch(/^\$\{GRAFANA_PASSWORD:\?/)
})

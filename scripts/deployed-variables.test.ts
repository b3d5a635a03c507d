import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Variables } from '#libs/config/variables.js'
import { imageEnvironment } from '#libs/testing/image-environment.js'
import { variables as issuer } from '../dev/issuer/config.js'
import { variables as sandbox } from '../dev/payment-sandbox/config.js'
import { readProcesses } from './processes.js'
import { sharedVariables } from './testing/shared-variables.js'

const root = resolve(import.meta.dirname, '..')
const text = (path: string): string => readFileSync(resolve(root, path), 'utf8')

interface ComposeService {
  readonly image: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly build?: { readonly target: string }
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly profiles?: readonly string[]
  readonly read_only?: boolean
  readonly volumes?: readonly (string | { readonly source: string })[]
}

const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>
}

const processes = await readProcesses(root)
const variablesOf = new Map<string, Variables>([
  ...processes.map(({ process, variables }): [string, Variables] => [process, variables]),
  ['issuer', issuer],
  ['sandbox', sandbox],
])

function isKnown(name: string, variables: Variables): boolean {
  const plain = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : name
  return name in variables || variables[plain]?.secret === true
}

const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('${REGISTRY'))
const processOf = ({ image }: ComposeService): string => /\/([\w-]+):/.exec(image)?.[1] ?? ''

/** What `.env` cannot set: TLS and addresses are fixed, `TRUSTED_PROXIES` names the proxy, and the disk is Postgres' own. */
const fixed = [
  'GRPC_INSECURE',
  'DATABASE_ROLE',
  'TRUSTED_HOPS',
  'STORAGE_PATH',
  'STORAGE_FREE_BYTES_MIN',
  'STRIPE_API_BASE',
]

describe('docker-compose.yml', () => {
  it('starts every process', () => {
    const started = new Set(ours.map(([, service]) => processOf(service)))
    const processes = [...variablesOf.keys()].filter((name) => name !== 'npm start')
    expect([...started].sort()).toEqual(processes.sort())
  })

  it('sets no variable that a process does not read, and omits none that it needs', () => {
    for (const [name, service] of ours) {
      const variables = variablesOf.get(processOf(service)) ?? {}
      const set = new Set(Object.keys(service.environment ?? {}))
      const unknown = [...set].filter((variable) => !isKnown(variable, variables))
      expect(unknown, name).toEqual([])
      const image = imageEnvironment(text('Dockerfile'), processOf(service))
      const migrates = service.command?.at(-1) === 'migrate'
      const required = Object.entries(variables)
        .filter(([variable]) => !migrates || variable.startsWith('DATABASE_'))
        .filter(([, { fallbackText }]) => fallbackText === 'required')
        .map(([variable]) => variable)
      expect(
        required.filter((variable) => !set.has(variable) && !image.has(variable)),
        name,
      ).toEqual([])
    }
  })

  it('gives each process every variable that it reads, and the same to all where they must agree', () => {
    for (const { process, variables } of processes.filter(({ process }) => process !== 'npm start')) {
      const image = imageEnvironment(text('Dockerfile'), process)
      const set = compose.services[process]?.environment ?? {}
      const missing = Object.entries(variables)
        .filter(([name, { internal }]) => internal !== true && !(name in set) && !image.has(name))
        .map(([name]) => name)
      expect(
        missing.filter((name) => !fixed.includes(name)),
        process,
      ).toEqual([])
    }
    for (const [name, readers] of sharedVariables(processes)) {
      const values = readers.map((reader) => compose.services[reader]?.environment?.[name])
      expect(new Set(values).size, name).toBe(1)
    }
  })

  it('sets every secret and every name of `.env` from make-env.sh, or allows it to be empty', () => {
    const written = new Set(
      [...text('deploy/compose/make-env.sh').matchAll(/^([A-Z_]+)=/gm)].map(([, n]) => n),
    )
    const wanted = [...text('docker-compose.yml').matchAll(/\$\{(\w+)(:[-?])?/g)]
    expect(wanted.length).toBeGreaterThan(50)
    for (const [whole, name, fallback] of wanted) {
      if (fallback !== ':-') expect([...written], whole).toContain(name)
    }
    for (const name of written) expect(wanted.map(([, n]) => n).concat('COMPOSE_PROFILES')).toContain(name)
  })

  it('gives each installation its own secrets, readable by its owner only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snipkeep-env-'))
    for (const part of ['deploy/compose', 'deploy/observability'])
      cpSync(resolve(root, part), join(folder, part), { recursive: true })
    // Certificates have a test of their own.
    writeFileSync(join(folder, 'deploy/compose/make-certificates.sh'), '')
    const make = () => spawnSync('sh', ['deploy/compose/make-env.sh'], { cwd: folder }).status
    const secretsOf = () =>
      [
        ...readFileSync(join(folder, '.env'), 'utf8').matchAll(
          /^\w*(?:PASSWORD|PEPPER|SECRET|KEY)\w*=(.*)$/gm,
        ),
      ].map(([, value = '']) => value)
    expect(make()).toBe(0)
    const first = secretsOf()
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
    expect(make()).toBe(0)
    expect(secretsOf()).toEqual(first)
    rmSync(join(folder, '.env'))
    expect(make()).toBe(0)
    const all = [...first, ...secretsOf()]
    rmSync(folder, { recursive: true })
    expect(new Set(all).size).toBe(all.length)
    for (const value of all) expect(value.length).toBeGreaterThanOrEqual(32)
  })

  it('publishes only the gateway beyond this machine', () => {
    for (const [name, { ports = [], profiles = [] }] of Object.entries(compose.services)) {
      const isPublic = ports.some((port) => !port.startsWith('127.0.0.1:'))
      if (name === 'gateway') expect(isPublic).toBe(true)
      else if (isPublic) expect([name, profiles]).toEqual(['proxy', ['scale']])
    }
  })

  it('mounts only existing files', () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
    const ours = mounts.flatMap((mount) =>
      typeof mount === 'string' && mount.startsWith('./') ? [mount.split(':')[0] ?? ''] : [],
    )
    expect(ours.length).toBeGreaterThan(5)
    expect(ours.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
  })

  it('migrates once before anything serves', () => {
    for (const service of ['content', 'identity', 'activity', 'billing']) {
      const condition = { condition: 'service_completed_successfully' }
      expect(compose.services[service]?.depends_on?.[`migrate-${service}`]).toEqual(condition)
      expect(compose.services[`migrate-${service}`]?.command?.at(-1)).toBe('migrate')
    }
  })

  it('runs each of our processes on a read-only file system', () => {
    for (const [name, service] of ours) expect([name, service.read_only]).toEqual([name, true])
  })
})

const composes = spawnSync('docker', ['compose', 'version']).status === 0

describe.skipIf(!composes)('docker compose itself (needs docker compose)', () => {
  it('accepts the file, with every profile and the generated .env', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snipkeep-compose-'))
    cpSync(resolve(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'))
    for (const part of ['deploy/compose', 'deploy/observability'])
      cpSync(resolve(root, part), join(folder, part), { recursive: true })
    expect(spawnSync('sh', ['deploy/compose/make-env.sh'], { cwd: folder }).status).toBe(0)
    const args = ['compose', '--profile', 'scale', '--profile', 'observability', 'config', '--quiet']
    const { status, stderr } = spawnSync('docker', args, { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
  })
})

describe('the Dockerfile', () => {
  it('sets only variables that the image’s process reads', () => {
    for (const [process, variables] of variablesOf) {
      const target = process === 'npm start' ? 'all-in-one' : process
      const set = [...imageEnvironment(text('Dockerfile'), target).keys()]
      expect(set, process).toContain('NODE_ENV')
      const all = process === 'npm start' ? Object.assign({}, ...variablesOf.values()) : variables
      expect(
        set.filter((name) => !isKnown(name, all)),
        process,
      ).toEqual([])
    }
  })

  it('has a target and a bake entry for every process, each with a health check and a start without a shell', () => {
    const dockerfile = text('Dockerfile')
    const targets = [...variablesOf.keys()].map((name) => (name === 'npm start' ? 'all-in-one' : name))
    for (const target of targets) {
      expect(text('docker-bake.hcl')).toContain(`"${target}"`)
      expect(dockerfile).toMatch(new RegExp(`^FROM \\S+ AS ${target}$`, 'm'))
    }
    const commands = [...dockerfile.matchAll(/^(?:CMD|ENTRYPOINT|RUN ?(?=\[)|\s+CMD) ?(.*)$/gm)].map(
      ([, c]) => c,
    )
    for (const command of commands) expect(command).toMatch(/^\["node", /)
  })

  it('starts existing files of the build', () => {
    for (const [, script = ''] of text('Dockerfile').matchAll(/"(dist\/[^"]+)\.js"/g)) {
      expect(() => text(`${script.slice('dist/'.length)}.ts`), script).not.toThrow()
    }
  })
})

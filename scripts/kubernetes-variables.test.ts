import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { Environment } from '#libs/config/read-variables.js'
import { messageOf } from '#libs/core/message-of.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { imageEnvironment } from '#libs/testing/image-environment.js'
import type { SetVariable } from '#libs/testing/kubernetes/container-environment.js'
import { ofKind } from '#libs/testing/kubernetes/kubernetes-object.js'
import {
  type Build,
  buildEverything,
  kustomizeMissing,
  kustomizeNote,
} from '#libs/testing/kubernetes/kustomize.js'
import { readConfig as readGateway } from '../gateway/config.js'
import { readConfig as readActivity } from '../services/activity/config.js'
import { readConfig as readBilling } from '../services/billing/config.js'
import { readConfig as readContent } from '../services/content/config.js'
import { readConfig as readIdentity } from '../services/identity/config.js'
import { readConfig as readTools } from '../services/tools/config.js'
import { readConfig as readWeb } from '../services/web/config.js'
import { type ProcessVariables, readProcesses } from './processes.js'
import { processWorkloads } from './testing/kubernetes-processes.js'
import { sharedVariables } from './testing/shared-variables.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const processes = await readProcesses(root)
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const builds = buildEverything(join(root, 'deploy/kubernetes'))
const base = builds[0] ?? { name: 'none', objects: [] }

const readers: Readonly<Record<string, (env: Environment) => unknown>> = {
  gateway: readGateway,
  web: readWeb,
  content: readContent,
  identity: readIdentity,
  activity: readActivity,
  tools: readTools,
  billing: readBilling,
}

/** Well-formed values for secrets that are created elsewhere. */
const secretSamples: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://login:password@postgres:5432/snipkeep',
  REDIS_URL: 'redis://:password@valkey:6379',
  API_KEY_PEPPER: '0123456789abcdef0123456789abcdef',
  STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef',
  S3_ACCESS_KEY_ID: 'access-key-id',
  S3_SECRET_ACCESS_KEY: 'secret-access-key',
}

const files = mkdtempSync(join(tmpdir(), 'snipkeep-secrets-'))
afterAll(() => rmSync(files, { recursive: true }))

/** The environment with local files in place of those mounted in a pod. */
function onThisMachine(environment: readonly SetVariable[]): Environment {
  const entries = environment.map(({ name, value, file }, index): readonly [string, string] => {
    const asFile = name.startsWith('GRPC_TLS_') ? name : `${name}_FILE`
    if (file === null) return [name, value]
    const path = join(files, `${asFile}-${index}`)
    writeFileSync(path, file.content ?? secretSamples[name] ?? 'a sample')
    return [asFile, path]
  })
  return Object.fromEntries(entries)
}

/** What is wrong with the environments of a build; empty if they match what the processes read. */
function findVariableProblems(build: Build, those: readonly ProcessVariables[]): readonly string[] {
  return processWorkloads(build, those).flatMap(({ workload, process, migrates, environment, reads }) => {
    const unknown = environment.filter(({ name }) => !reads.has(name))
    const problems = unknown.map(
      ({ name }) => `${workload.name} is given ${name}, which ${process} does not read`,
    )
    // The image's variables apply unless the pod overrides them.
    const env = {
      ...Object.fromEntries(imageEnvironment(dockerfile, process)),
      ...onThisMachine(environment),
    }
    try {
      if (migrates) readDatabaseConfig(process, env)
      else readers[process]?.(env)
      return problems
    } catch (error) {
      return [...problems, `${workload.name} would not start: ${messageOf(error)}`]
    }
  })
}

/** Variables whose default is a localhost address, which reaches nothing in a pod. */
function findLoopbacks(build: Build): readonly string[] {
  const billing = build.objects.some(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'billing',
  )
  return processWorkloads(build, processes)
    .filter(({ migrates }) => !migrates)
    .flatMap(({ process, environment }) => {
      const variables = processes.find((candidate) => candidate.process === process)?.variables ?? {}
      return Object.entries(variables)
        .filter(([, { fallbackText }]) => fallbackText.includes('127.0.0.1'))
        .filter(([name]) => !environment.some((set) => set.name === name))
        .filter(([name]) => billing || !name.startsWith('BILLING_'))
        .map(([name]) => `${process} is not given ${name}`)
    })
}

describe.runIf(kustomizeMissing === null)(`variables in the manifests${kustomizeNote}`, () => {
  it.each(builds)('$name sets nothing unknown, and each process accepts its environment', (build) => {
    expect(processWorkloads(build, processes).length).toBeGreaterThanOrEqual(5)
    expect(findVariableProblems(build, processes)).toEqual([])
  })

  it.each(builds)('in $name no process listens on or calls loopback', (build) => {
    expect(findLoopbacks(build)).toEqual([])
  })

  it('has one place in the base for each variable on which processes must agree, and gives it to all of them', () => {
    const { objects } = base
    const workloads = processWorkloads(base, processes).filter(({ migrates }) => !migrates)
    const shared = sharedVariables(processes)
    expect(shared.map(([name]) => name)).toContain('TOOLS')
    for (const [name, readers] of shared) {
      const maps = ofKind(objects, 'ConfigMap').filter(({ data }) => name in (data ?? {}))
      expect(maps.length, name).toBe(1)
      const given = workloads.filter(({ environment }) => environment.some((set) => set.name === name))
      expect(given.map(({ process }) => process).sort(), name).toEqual(readers.toSorted())
    }
  })

  it('an unknown and a missing variable are detected', () => {
    const objects = base.objects.map((object) => {
      if (object.kind !== 'ConfigMap' || !object.metadata.name.startsWith('sign-in-')) return object
      return { ...object, data: { OIDC_ISSUER: 'https://issuer.example=snipkeep' } }
    })
    const problems = findVariableProblems({ name: 'planted', objects }, processes)
    expect(problems).toContain('gateway is given OIDC_ISSUER, which gateway does not read')
    expect(problems.find((line) => line.startsWith('gateway would not start:'))).toContain(
      'OIDC_ISSUERS must be',
    )
  })
})

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isKind, type KubernetesObject } from '#libs/testing/kubernetes/kubernetes-object.js'
import {
  type Build,
  kustomize,
  kustomizeMissing,
  kustomizeNote,
  kustomizeWith,
} from '#libs/testing/kubernetes/kustomize.js'
import { allowedEdges, type Edge, podGroups } from '#libs/testing/kubernetes/network-edges.js'
import { readProcesses } from './processes.js'
import { callsOf, codeEdges, notCalled } from './testing/kubernetes-code-edges.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifests = join(root, 'deploy/kubernetes')
const processes = (await readProcesses(root)).filter(({ process }) => process !== 'npm start')

function component(name: string): string {
  return join(manifests, 'components', name)
}

function withComponents(name: string, ...more: readonly string[]): Build {
  const components = ['network-policies', ...more]
  return { name, objects: kustomizeWith(join(manifests, 'base'), components.map(component)) }
}

function policedBuilds(): readonly Build[] {
  if (kustomizeMissing !== null) return []
  return [
    { name: 'overlays/demo', objects: kustomize(join(manifests, 'overlays/demo')) },
    { name: 'overlays/production', objects: kustomize(join(manifests, 'overlays/production')) },
    withComponents('an Ingress and traces', 'valkey', 'cloudnative-pg', 'ingress', 'otlp', 's3'),
    withComponents(
      'everything without payments',
      'gateway-api',
      'service-monitor',
      'otlp',
      'external-secrets',
      'cert-manager',
      'cloudnative-pg',
      'valkey',
      's3',
      'without-payments',
    ),
  ]
}

/** The differences between network policies and code. */
function findEdgeProblems(build: Build): readonly string[] {
  const { egress, ingress, unguarded } = allowedEdges(build.objects)
  const called = codeEdges(build, processes)
  const pods = new Set(podGroups(build.objects).map(({ name }) => name))
  const ends = (edge: Edge): readonly [string, string] => {
    const [from = '', to = ''] = edge.split(' -> ')
    return [from, to.slice(0, to.lastIndexOf(':'))]
  }
  const leaving = new Set([...called].filter((edge) => pods.has(ends(edge)[0])))
  const arriving = new Set([...called].filter((edge) => pods.has(ends(edge)[1])))
  const compare = (direction: string, allowed: ReadonlySet<Edge>, needed: ReadonlySet<Edge>) => [
    ...[...needed].filter((edge) => !allowed.has(edge)).map((edge) => `${direction} lacks ${edge}`),
    ...[...allowed].filter((edge) => !needed.has(edge)).map((edge) => `${direction} needs no ${edge}`),
  ]
  return [
    ...unguarded.map((side) => `nothing guards ${side}`),
    ...compare('egress', egress, leaving),
    ...compare('ingress', ingress, arriving),
  ]
}

function changePolicy(
  { name, objects }: Build,
  policy: string,
  change: (spec: { ingress?: unknown; egress?: unknown }) => object,
): Build {
  const changed = objects.map((object): KubernetesObject => {
    if (!isKind(object, 'NetworkPolicy') || object.metadata.name !== policy) return object
    return { ...object, ...{ spec: { ...object.spec, ...change(object.spec ?? {}) } } }
  })
  return { name, objects: changed }
}

const builds = policedBuilds()

describe.runIf(kustomizeMissing === null)(`edges between the processes${kustomizeNote}`, () => {
  it.each(builds)('in $name exactly the code’s calls are allowed, in both directions', (build) => {
    expect(codeEdges(build, processes)).toContain('gateway -> content:50051')
    expect(findEdgeProblems(build)).toEqual([])
  })

  it.each([
    ['an edge that the ingress forgets', 'web', { ingress: [] }, 'ingress lacks gateway -> web:8090'],
    ['an edge that the egress forgets', 'web', { egress: [] }, 'egress lacks web -> content:50051'],
    ['an edge to everyone', 'web', { egress: [{}] }, 'egress needs no web -> anybody:any'],
    [
      'an edge that no one needs',
      'activity',
      { ingress: [{ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'web' } } }] }] },
      'ingress needs no web -> activity:any',
    ],
    [
      'a hole in the wall around everything',
      'default-deny',
      { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'nobody' } } },
      'nothing guards content-migrate Ingress',
    ],
  ])('%s is found', (_what, policy, change, problem) => {
    const [demo] = builds
    if (demo === undefined) throw new Error('there is no demo')
    expect(findEdgeProblems(changePolicy(demo, policy, () => change))).toContain(problem)
  })
})

describe('variables with addresses', () => {
  it('are each called, or known not to be', () => {
    const address = /(_URL|_TARGET|_ENDPOINT|_ISSUERS|_BASE|_ORIGINS|_PROXIES)$/
    const named = processes.flatMap(({ variables }) => Object.keys(variables))
    const open = named.filter((name) => address.test(name) && !(name in callsOf) && !notCalled.has(name))
    expect(open).toEqual([])
  })

  it('every listed variable is read by some process', () => {
    const named = new Set(processes.flatMap(({ variables }) => Object.keys(variables)))
    expect([...Object.keys(callsOf), ...notCalled].filter((name) => !named.has(name))).toEqual([])
  })
})

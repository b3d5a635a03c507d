import type { SetVariable } from '#libs/testing/kubernetes/container-environment.js'
import {
  type KubernetesObject,
  ofKind,
  selects,
  workloadsOf,
} from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Build } from '#libs/testing/kubernetes/kustomize.js'
import { type Edge, podGroups } from '#libs/testing/kubernetes/network-edges.js'
import { ciIssuer } from '#shared/config/ci-issuers.js'
import type { ProcessVariables } from '../processes.js'
import { type ProcessWorkload, processWorkloads } from './kubernetes-processes.js'

interface Address {
  readonly host: string
  readonly port: number
}

function urlAddress(value: string): Address {
  const { hostname, port, protocol } = new URL(value)
  const standard: Readonly<Record<string, number>> = {
    'https:': 443,
    'http:': 80,
    'postgres:': 5432,
    'redis:': 6379,
  }
  const usual = standard[protocol]
  if (port === '' && usual === undefined) throw new Error(`no port is known for ${protocol}`)
  return { host: hostname, port: port === '' ? (usual ?? 0) : Number(port) }
}

function grpcAddress(value: string): Address {
  const { host, port } = /^dns:\/\/\/(?<host>[^:]+):(?<port>\d+)$/.exec(value)?.groups ?? {}
  if (host === undefined) throw new Error(`${value} is no address that round robin could look up`)
  return { host, port: Number(port) }
}

const one = (read: (value: string) => Address) => (value: string) => [read(value)]

/**
 * The calls that each variable implies. Every new variable with an address has to be added, here or to those
 * that imply none.
 */
export const callsOf: Readonly<Record<string, (value: string) => readonly Address[]>> = {
  CONTENT_GRPC_TARGET: one(grpcAddress),
  IDENTITY_GRPC_TARGET: one(grpcAddress),
  ACTIVITY_GRPC_TARGET: one(grpcAddress),
  BILLING_GRPC_TARGET: one(grpcAddress),
  TOOLS_GRPC_TARGET: one(grpcAddress),
  BILLING_WEBHOOK_URL: one(urlAddress),
  WEB_URL: one(urlAddress),
  DATABASE_URL: one(urlAddress),
  REDIS_URL: one(urlAddress),
  OIDC_ISSUERS: (value) => value.split(',').map((item) => urlAddress(item.slice(0, item.lastIndexOf('=')))),
  CI_ISSUERS: (value) => value.split(',').map((item) => urlAddress(ciIssuer(item).issuer)),
  STRIPE_SECRET_KEY: () => [{ host: 'api.stripe.com', port: 443 }],
  STRIPE_API_BASE: one(urlAddress),
  SANDBOX_URL: one(urlAddress),
  OTEL_EXPORTER_OTLP_ENDPOINT: one(urlAddress),
  S3_ENDPOINT: one(urlAddress),
}

/** Addresses that are listened on or only written into responses. */
export const notCalled: ReadonlySet<string> = new Set([
  'PUBLIC_BASE_URL',
  'SHARE_BASE_URL',
  'ABUSE_URL',
  'CORS_ORIGINS',
  'TRUSTED_PROXIES',
  'WEB_OIDC_ORIGINS',
])

/** Addresses that one process calls, while others only pass them to browsers. */
const calledBy: Readonly<Record<string, string>> = { OIDC_ISSUERS: 'gateway' }

/** The content of the secrets that are created elsewhere, as described in README.md. */
function agreedValue(name: string, objects: readonly KubernetesObject[]): string | null {
  const cluster = objects.find(
    ({ apiVersion, kind }) => kind === 'Cluster' && apiVersion.startsWith('postgresql.'),
  )
  switch (name) {
    case 'DATABASE_URL':
      return `postgres://login:password@${cluster === undefined ? 'postgres' : `${cluster.metadata.name}-rw`}:5432/snipkeep`
    case 'REDIS_URL':
      return 'redis://:password@valkey:6379'
    case 'STRIPE_SECRET_KEY':
      return ''
    default:
      return null
  }
}

/** Where a call to this address goes: pods of the namespace, pods of another one, or the internet. */
function endsOf({ host, port }: Address, objects: readonly KubernetesObject[]): readonly string[] {
  const groups = podGroups(objects)
  const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === host)
  if (service !== undefined) {
    const { selector = {}, ports = [] } = service.spec ?? {}
    const target = ports.find((candidate) => candidate.port === port)?.targetPort
    return workloadsOf(objects)
      .filter(({ labels }) => selects({ matchLabels: selector }, labels))
      .map(({ name, pod }) => {
        const open = pod.containers.flatMap(({ ports: own = [] }) => own)
        const found = open.find(
          ({ name: portName, containerPort }) => target === portName || target === containerPort,
        )
        return `${name}:${found?.containerPort ?? `nothing at ${port}`}`
      })
  }
  const cluster = groups.find(({ name }) => `${name}-rw` === host)
  if (cluster !== undefined) return [`${cluster.name}:${port}`]
  const { namespace } = /^[^.]+\.(?<namespace>[^.]+)\.svc$/.exec(host)?.groups ?? {}
  if (namespace !== undefined) return [`namespace ${namespace}:${port}`]
  return [host.includes('.') ? `internet:${port}` : `nobody (${host}):${port}`]
}

function nameOf({ workload, process, migrates }: ProcessWorkload): string {
  return migrates ? `${process}-migrate` : workload.name
}

function addressesOf(
  { name, value, file }: SetVariable,
  objects: readonly KubernetesObject[],
): readonly Address[] {
  const read = callsOf[name]
  if (read === undefined) return []
  const known = file === null ? value : (file.content ?? agreedValue(name, objects))
  if (known === null) throw new Error(`the value of ${name} is not known`)
  return read(known)
}

const dns = 'namespace kube-system kube-dns'

function callsOfWorkload(running: ProcessWorkload, objects: readonly KubernetesObject[]): readonly Edge[] {
  const from = nameOf(running)
  const called = running.environment
    .filter(({ name }) => running.reads.has(name) && (!running.migrates || name === 'DATABASE_URL'))
    .filter(({ name }) => (calledBy[name] ?? running.process) === running.process)
    .flatMap((variable) => addressesOf(variable, objects))
    .flatMap((address) => endsOf(address, objects))
  const edges = called.map((end): Edge => `${from} -> ${end}`)
  // Who calls nobody needs no names.
  return edges.length === 0 ? [] : [...edges, `${from} -> ${dns}:53`, `${from} -> ${dns}:53/UDP`]
}

/** The namespace and labels of the ingress controllers' proxies. */
const waysIn: Readonly<Record<string, string>> = {
  HTTPRoute: 'namespace envoy-gateway-system',
  Ingress: 'namespace ingress-nginx',
}

function callsFromOutside(
  running: readonly ProcessWorkload[],
  objects: readonly KubernetesObject[],
): readonly Edge[] {
  const proxies = new Set(objects.flatMap(({ kind }) => waysIn[kind] ?? []))
  const scraped = objects.some(({ kind }) => kind === 'ServiceMonitor')
  return running
    .filter(({ migrates }) => !migrates)
    .flatMap(({ workload: { name }, process, environment }): readonly Edge[] => {
      const portOf = (wanted: string) => environment.find((variable) => variable.name === wanted)?.value
      const front = process === 'gateway' ? [...proxies] : []
      return [
        ...front.map((proxy): Edge => `${proxy} -> ${name}:${portOf('PORT') ?? ''}`),
        ...(scraped ? [`namespace monitoring -> ${name}:${portOf('METRICS_PORT') ?? ''}` as const] : []),
      ]
    })
}

/** The connections between the CloudNativePG operator and its instances, from its documentation. */
function callsOfCloudNativePg(objects: readonly KubernetesObject[]): readonly Edge[] {
  const groups = podGroups(objects).filter(({ labels }) => 'cnpg.io/cluster' in labels)
  return groups.flatMap(({ name }): readonly Edge[] => [
    `${name} -> ${name}:5432`,
    `${name} -> ${name}:8000`,
    `namespace cnpg-system -> ${name}:5432`,
    `namespace cnpg-system -> ${name}:8000`,
    `${name} -> ${dns}:53`,
    `${name} -> ${dns}:53/UDP`,
    `${name} -> 192.0.2.1/32:443`,
    `${name} -> 192.0.2.1/32:6443`,
  ])
}

/** Every call in a build, derived from the variables that its processes read. */
export function codeEdges(build: Build, processes: readonly ProcessVariables[]): ReadonlySet<Edge> {
  const running = processWorkloads(build, processes)
  return new Set([
    ...running.flatMap((workload) => callsOfWorkload(workload, build.objects)),
    ...callsFromOutside(running, build.objects),
    ...callsOfCloudNativePg(build.objects),
  ])
}

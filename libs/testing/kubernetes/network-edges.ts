import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec'
import {
  type KubernetesObject,
  type LabelSelector,
  ofKind,
  selects,
  workloadsOf,
} from './kubernetes-object.js'

/** Pods with the labels of their owner. */
export interface PodGroup {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

type EgressRule = NonNullable<INetworkPolicySpec['egress']>[number]
type IngressRule = NonNullable<INetworkPolicySpec['ingress']>[number]
type Peer = NonNullable<EgressRule['to']>[number]

/** An allowed call: `from -> to:port`, followed by `/UDP` for UDP. */
export type Edge = `${string} -> ${string}`

/** The edges that policies allow, as each end sees them. */
export interface AllowedEdges {
  readonly egress: ReadonlySet<Edge>
  readonly ingress: ReadonlySet<Edge>
  /** Pods without a policy in a direction. */
  readonly unguarded: readonly string[]
}

/** Jobs are named without their version, so that an edge has the same name in every release. */
function groupOfJob(labels: Readonly<Record<string, string>>): string {
  return `${labels['app.kubernetes.io/name']}-migrate`
}

/** Our pods, and those of the CloudNativePG operator, which it labels by cluster. */
export function podGroups(objects: readonly KubernetesObject[]): readonly PodGroup[] {
  const clusters = objects.filter(({ apiVersion }) => apiVersion.startsWith('postgresql.cnpg.io/'))
  return [
    ...workloadsOf(objects).map(({ kind, name, labels }) => ({
      name: kind === 'Job' ? groupOfJob(labels) : name,
      labels,
    })),
    ...clusters
      .filter(({ kind }) => kind === 'Cluster')
      .map(({ metadata }) => ({ name: metadata.name, labels: { 'cnpg.io/cluster': metadata.name } })),
  ]
}

const everywhere = new Set(['0.0.0.0/0', '::/0'])

function namespaceNames({ matchLabels = {} }: LabelSelector): string {
  const { 'kubernetes.io/metadata.name': name, ...others } = matchLabels
  const more = Object.entries(others).map(([key, value]) => `${key}=${value}`)
  return `namespace ${[name ?? '*', ...more].join(' ')}`
}

function selectorText({ matchLabels = {} }: LabelSelector): string {
  return Object.values(matchLabels).join(' ')
}

function peerNames(peer: Peer, groups: readonly PodGroup[]): readonly string[] {
  const { ipBlock, namespaceSelector, podSelector } = peer
  if (ipBlock !== undefined) {
    if (!everywhere.has(ipBlock.cidr)) return [ipBlock.cidr]
    return [(ipBlock.except ?? []).length > 0 ? 'internet' : 'anywhere']
  }
  if (namespaceSelector !== undefined) {
    const pods = podSelector === undefined ? '' : ` ${selectorText(podSelector)}`
    return [`${namespaceNames(namespaceSelector)}${pods}`]
  }
  const picked = groups.filter(({ labels }) => selects(podSelector ?? {}, labels))
  return picked.length === 0
    ? [`nobody (${selectorText(podSelector ?? {})})`]
    : picked.map(({ name }) => name)
}

function peersOf(peers: readonly Peer[] | undefined, groups: readonly PodGroup[]): readonly string[] {
  return peers === undefined || peers.length === 0
    ? ['anybody']
    : [...new Set(peers.flatMap((peer) => peerNames(peer, groups)))]
}

function portsOf(ports: EgressRule['ports'] | IngressRule['ports']): readonly string[] {
  if (ports === undefined || ports.length === 0) return ['any']
  return ports.map(({ port = 'any', endPort, protocol = 'TCP' }) => {
    const range = endPort === undefined ? `${port}` : `${port}-${endPort}`
    return protocol === 'TCP' ? range : `${range}/${protocol}`
  })
}

/** Reads every NetworkPolicy; they are all in one namespace, as are the pods. */
export function allowedEdges(objects: readonly KubernetesObject[]): AllowedEdges {
  const groups = podGroups(objects)
  const egress = new Set<Edge>()
  const ingress = new Set<Edge>()
  const guarded = new Set<string>()
  for (const { spec } of ofKind(objects, 'NetworkPolicy')) {
    if (spec === undefined) continue
    for (const { name, labels } of groups) {
      if (!selects(spec.podSelector, labels)) continue
      for (const direction of spec.policyTypes ?? []) guarded.add(`${name} ${direction}`)
      for (const { to, ports } of spec.egress ?? [])
        for (const peer of peersOf(to, groups))
          for (const port of portsOf(ports)) egress.add(`${name} -> ${peer}:${port}`)
      for (const { from, ports } of spec.ingress ?? [])
        for (const peer of peersOf(from, groups))
          for (const port of portsOf(ports)) ingress.add(`${peer} -> ${name}:${port}`)
    }
  }
  const unguarded = groups.flatMap(({ name }) =>
    ['Ingress', 'Egress'].map((type) => `${name} ${type}`).filter((side) => !guarded.has(side)),
  )
  return { egress, ingress, unguarded }
}

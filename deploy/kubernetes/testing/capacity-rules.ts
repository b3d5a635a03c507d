import { environmentOf } from '#libs/testing/kubernetes/container-environment.js'
import {
  fieldOf,
  type KubernetesObject,
  ofKind,
  selects,
  type Workload,
  workloadsOf,
} from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Rule } from './rule.js'

/** A migration opens two connections: one for the lock, one to migrate. */
const migrationConnections = 2

/** Connections that Postgres reserves for superusers, and those for people and backups. */
const reservedConnections = 10

interface Replicas {
  readonly min: number
  readonly max: number
}

function replicasOf(name: string, objects: readonly KubernetesObject[]): Replicas {
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
    ({ spec }) => spec?.scaleTargetRef.name === name,
  )
  const fixed =
    ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === name)?.spec?.replicas ?? 1
  return { min: scaler?.spec?.minReplicas ?? fixed, max: scaler?.spec?.maxReplicas ?? fixed }
}

function surgeOf(name: string, objects: readonly KubernetesObject[], replicas: number): number {
  const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === name)
  const surge = deployment?.spec?.strategy?.rollingUpdate?.maxSurge ?? '25%'
  return typeof surge === 'number' ? surge : Math.ceil((replicas * Number.parseInt(surge, 10)) / 100)
}

/**
 * The maximum connections of a workload. During a rollout at full scale, every old pod may still be draining, with its
 * pool, while its successor serves: terminating pods do not count towards the surge, but still hold connections.
 */
function connectionsOf(workload: Workload, objects: readonly KubernetesObject[]): number {
  const environment = environmentOf(workload, objects)
  if (!environment.some(({ name }) => name === 'DATABASE_URL')) return 0
  if (workload.kind === 'Job') return migrationConnections
  const pool = Number(environment.find(({ name }) => name === 'DATABASE_POOL_MAX')?.value ?? Number.NaN)
  const { max } = replicasOf(workload.name, objects)
  return (2 * max + surgeOf(workload.name, objects, max)) * pool
}

/** `max_connections` of the database among the objects; `null` if there is none. */
function connectionsMaxOf(objects: readonly KubernetesObject[]): number | null {
  for (const object of objects) {
    const value = fieldOf(object, 'spec', 'postgresql', 'parameters', 'max_connections')
    if (value !== undefined) return Number(value)
  }
  for (const { pod } of workloadsOf(objects)) {
    const args = pod.containers.flatMap(({ args: own = [] }) => own)
    const set = args.find((argument) => argument.startsWith('max_connections='))
    if (set !== undefined) return Number(set.slice('max_connections='.length))
  }
  return null
}

/** The maximum connections of all workloads. */
export function connectionsNeeded(objects: readonly KubernetesObject[]): number {
  return workloadsOf(objects)
    .map((workload) => connectionsOf(workload, objects))
    .reduce((sum, some) => sum + some, 0)
}

const connections: Rule = {
  name: 'the pools of all pods at their most, of those that are going and of all migrations fit into the database',
  find: (objects) => {
    const max = connectionsMaxOf(objects)
    const needed = connectionsNeeded(objects)
    if (max === null || needed <= max - reservedConnections) return []
    return [`${needed} connections are needed; of ${max}, ${max - reservedConnections} may be used`]
  },
}

const evictions: Rule = {
  name: 'a node can be drained at any time, and never takes the last pod of what has several',
  find: (objects) =>
    ofKind(objects, 'PodDisruptionBudget').flatMap(({ metadata: { name }, spec }) => {
      const guarded = workloadsOf(objects).find(({ labels }) => selects(spec?.selector ?? {}, labels))
      const { min } = replicasOf(guarded?.name ?? '', objects)
      const going = spec?.maxUnavailable ?? min - Number(spec?.minAvailable ?? 0)
      if (typeof going === 'string') return [`${name} counts in percent, which rounds to none or to all`]
      return [
        ...(going < 1 ? [`${name} lets no pod go at ${min} replicas`] : []),
        ...(min < 2 ? [`${name} guards a single pod`] : []),
        ...(min >= 2 && going >= min ? [`${name} lets all ${min} pods go at once`] : []),
      ]
    }),
}

const rollouts: Rule = {
  name: 'a rollout takes no pod away before its successor serves',
  find: (objects) =>
    ofKind(objects, 'HorizontalPodAutoscaler').flatMap(({ spec }) => {
      const target = ofKind(objects, 'Deployment').find(
        ({ metadata }) => metadata.name === spec?.scaleTargetRef.name,
      )
      const rolling = target?.spec?.strategy?.rollingUpdate
      const fixed = target?.spec?.replicas !== undefined
      return [
        ...(target?.spec?.strategy?.type === 'RollingUpdate'
          ? []
          : [`${target?.metadata.name} leaves the type of its strategy to the server`]),
        ...(rolling?.maxUnavailable === 0 ? [] : [`${target?.metadata.name} is fewer while it is rolled`]),
        ...(fixed ? [`${target?.metadata.name} names replicas, which undoes what its autoscaler did`] : []),
      ]
    }),
}

/** The CPU that a cluster of one machine with two processors has left; its own pods request about 950m. */
const smallClusterMillicores = 1_000

function millicores(text: string): number {
  return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1_000
}

/** The total CPU requests of all pods, including the Jobs of the first start. */
function millicoresOf(objects: readonly KubernetesObject[]): number {
  return workloadsOf(objects)
    .flatMap(({ name, pod }) => {
      const { min } = replicasOf(name, objects)
      return pod.containers.map(({ resources }) => min * millicores(String(resources?.requests?.cpu ?? '0')))
    })
    .reduce((sum, some) => sum + some, 0)
}

export const smallCluster: Rule = {
  name: 'all pods fit on one machine with two processors, beside those of the cluster itself',
  find: (objects) => {
    const asked = millicoresOf(objects)
    return asked <= smallClusterMillicores
      ? []
      : [`${asked}m are requested; ${smallClusterMillicores}m are left`]
  },
}

/** How long a cluster's DNS may return the address of a deleted pod. */
const dnsCacheSeconds = 30

const overlaps: Rule = {
  name: 'what callers find by DNS is rolled more slowly than DNS forgets',
  find: (objects) =>
    ofKind(objects, 'Deployment')
      .filter(({ metadata, spec }) =>
        ofKind(objects, 'Service').some(
          (service) =>
            service.spec?.clusterIP === 'None' &&
            service.metadata.name === metadata.name &&
            selects({ matchLabels: service.spec.selector ?? {} }, spec?.template.metadata?.labels ?? {}),
        ),
      )
      .filter(({ spec }) => (spec?.minReadySeconds ?? 0) <= dnsCacheSeconds)
      .map(({ metadata }) => `${metadata.name} changes two pods within ${dnsCacheSeconds} s`),
}

export const capacityRules: readonly Rule[] = [connections, evictions, rollouts, overlaps]

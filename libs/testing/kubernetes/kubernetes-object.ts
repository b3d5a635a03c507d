import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import type { INamespace } from 'kubernetes-models/v1/Namespace'
import type { IPodTemplateSpec } from 'kubernetes-models/v1/PodTemplateSpec'
import type { ISecret } from 'kubernetes-models/v1/Secret'
import type { IService } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'

/**
 * The common fields of cluster objects. Names are unique within a kind, since one namespace holds all of
 * ours.
 */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

type Named<T> = T & KubernetesObject

/** The kinds that rules inspect. */
interface Kinds {
  readonly ConfigMap: Named<IConfigMap>
  readonly Deployment: Named<IDeployment>
  readonly HorizontalPodAutoscaler: Named<IHorizontalPodAutoscaler>
  readonly Ingress: Named<IIngress>
  readonly Job: Named<IJob>
  readonly Namespace: Named<INamespace>
  readonly NetworkPolicy: Named<INetworkPolicy>
  readonly PodDisruptionBudget: Named<IPodDisruptionBudget>
  readonly Secret: Named<ISecret>
  readonly Service: Named<IService>
  readonly StatefulSet: Named<IStatefulSet>
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isObject(value: unknown): value is KubernetesObject {
  if (!isRecord(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string') return false
  return isRecord(value.metadata) && typeof value.metadata.name === 'string'
}

/**
 * The objects in a stream of YAML documents.
 * @throws Error if a document is something else.
 */
export function parseObjects(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    const value: unknown = document.toJS()
    if (isObject(value)) return value
    throw new Error(`not a Kubernetes object: ${JSON.stringify(value)}`)
  })
}

/** Whether an object is of this kind; a type check of all objects ensures that its fields match. */
export function isKind<K extends keyof Kinds>(object: KubernetesObject, kind: K): object is Kinds[K] {
  return object.kind === kind
}

/** All objects of a kind. */
export function ofKind<K extends keyof Kinds>(
  objects: readonly KubernetesObject[],
  kind: K,
): readonly Kinds[K][] {
  return objects.filter((object): object is Kinds[K] => isKind(object, kind))
}

/** The value of a field of an object without a model here; `undefined` if the path ends early. */
export function fieldOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => {
    if (Array.isArray(found)) return typeof step === 'number' ? (found as unknown[])[step] : undefined
    return isRecord(found) ? found[step] : undefined
  }, value)
}

/** A pod's specification. */
export type Pod = NonNullable<IPodTemplateSpec['spec']>

/** A container of a pod. */
export type Container = Pod['containers'][number]

/** Something that runs pods. */
export interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job'
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly pod: Pod
  /** Volumes that a StatefulSet claims for each pod. */
  readonly claims: readonly string[]
}

/** Everything that runs pods, Deployments first. */
export function workloadsOf(objects: readonly KubernetesObject[]): readonly Workload[] {
  const sets = ofKind(objects, 'StatefulSet')
  const all = [...ofKind(objects, 'Deployment'), ...sets, ...ofKind(objects, 'Job')]
  return all.flatMap(({ kind, metadata, spec }) => {
    const pod = spec?.template.spec
    const labels = spec?.template.metadata?.labels ?? {}
    const set = sets.find(({ metadata: { name } }) => kind === 'StatefulSet' && name === metadata.name)
    const claims = (set?.spec?.volumeClaimTemplates ?? []).flatMap((claim) => claim.metadata?.name ?? [])
    return pod === undefined ? [] : [{ kind, name: metadata.name, labels, pod, claims }]
  })
}

/** The labels that a selector requires. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/** Whether a selector matches these labels; an empty one matches everything. */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  const within = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    if (operator !== 'In') throw new Error(`the operator ${operator} is not understood here`)
    return values.includes(labels[key] ?? '')
  })
  return equal && within
}

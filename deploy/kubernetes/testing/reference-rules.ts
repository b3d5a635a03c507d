import { environmentOf, secretsOf } from '#libs/testing/kubernetes/container-environment.js'
import {
  fieldOf,
  type KubernetesObject,
  ofKind,
  type Pod,
  selects,
  type Workload,
  workloadsOf,
} from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Rule } from './rule.js'

function namesOf(objects: readonly KubernetesObject[], kind: string): ReadonlySet<string> {
  return new Set(objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name))
}

function portsOf(pod: Pod): ReadonlySet<string | number> {
  const ports = pod.containers.flatMap(({ ports: own = [] }) => own)
  return new Set(
    ports.flatMap(({ name, containerPort }) => [containerPort, ...(name === undefined ? [] : [name])]),
  )
}

const owners: Rule = {
  name: 'what runs pods selects its own, and no one else has them',
  find: (objects) => {
    const workloads = workloadsOf(objects)
    const owning = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'StatefulSet')]
    return owning.flatMap(({ metadata: { name }, spec }) => {
      const picked = workloads.filter(({ labels }) => selects(spec?.selector ?? {}, labels))
      return picked.length === 1 && picked[0]?.name === name
        ? []
        : [`${name} selects ${picked.map((workload) => workload.name).join(', ') || 'nothing'}`]
    })
  },
}

const services: Rule = {
  name: 'every Service leads to ports that the pods of one workload have',
  find: (objects) => {
    const workloads = workloadsOf(objects)
    return ofKind(objects, 'Service').flatMap(({ metadata: { name }, spec }) => {
      const picked = workloads.filter(({ labels }) => selects({ matchLabels: spec?.selector ?? {} }, labels))
      const [only, ...more] = picked
      if (only === undefined || more.length > 0) return [`${name} leads to ${picked.length} workloads`]
      return (spec?.ports ?? [])
        .filter(({ port, targetPort }) => !portsOf(only.pod).has(targetPort ?? port))
        .map(({ targetPort }) => `${name} leads to the port ${targetPort}, which ${only.name} does not have`)
    })
  },
}

const headless: Rule = {
  name: 'whoever is called over gRPC has a headless Service, or all calls would go to one pod',
  find: (objects) =>
    ofKind(objects, 'Service')
      .filter(({ spec }) => spec?.ports?.some(({ name }) => name === 'grpc') && spec.clusterIP !== 'None')
      .map(({ metadata }) => `${metadata.name} is balanced by connections`),
}

function configMapsOf({ pod }: Workload): readonly (string | undefined)[] {
  return [
    ...pod.containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
    ...(pod.volumes ?? []).flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name])),
  ]
}

const configuration: Rule = {
  name: 'every ConfigMap and account that a pod names is there, and no ConfigMap is there for no one',
  find: (objects) => {
    const maps = namesOf(objects, 'ConfigMap')
    const accounts = namesOf(objects, 'ServiceAccount')
    const workloads = workloadsOf(objects)
    const named = workloads.flatMap((workload) => configMapsOf(workload))
    return [
      ...named.filter((name) => !maps.has(name ?? '')).map((name) => `there is no ConfigMap ${name}`),
      ...[...maps]
        .filter((name) => !named.includes(name))
        .map((name) => `nothing reads the ConfigMap ${name}`),
      ...workloads
        .filter(({ pod }) => !accounts.has(pod.serviceAccountName ?? ''))
        .map(({ name, pod }) => `${name} runs as ${pod.serviceAccountName}, an account that is not there`),
    ]
  },
}

const volumes: Rule = {
  name: 'every mount has its volume, and every volume its mount',
  find: (objects) =>
    workloadsOf(objects).flatMap(({ name, pod, claims }) => {
      const mounted = pod.containers.flatMap(({ volumeMounts = [] }) =>
        volumeMounts.map((mount) => mount.name),
      )
      const present = [...(pod.volumes ?? []).map((volume) => volume.name), ...claims]
      return [
        ...mounted
          .filter((one) => !present.includes(one))
          .map((one) => `${name} mounts ${one}, which is not there`),
        ...present.filter((one) => !mounted.includes(one)).map((one) => `${name} does not mount ${one}`),
      ]
    }),
}

interface SecretUse {
  readonly by: string
  readonly secret: string
  readonly keys: readonly string[]
}

/** Every Secret that pods mount or other objects name, with the entries that they use. */
export function secretUses(objects: readonly KubernetesObject[]): readonly SecretUse[] {
  const mounted = workloadsOf(objects).flatMap((workload) => {
    const by = workload.name
    const whole = (workload.pod.volumes ?? []).flatMap(({ secret, projected }) => [
      ...(secret === undefined ? [] : [{ name: secret.secretName, items: secret.items }]),
      ...(projected?.sources ?? []).flatMap((source) => source.secret ?? []),
    ])
    const files = environmentOf(workload, objects).flatMap(({ file }) => file ?? [])
    return [
      ...whole.map(({ name = '', items = [] }) => ({ by, secret: name, keys: items.map(({ key }) => key) })),
      ...files.map(({ secret, key }) => ({ by, secret, keys: [key] })),
    ]
  })
  const cluster = objects.filter(({ apiVersion }) => apiVersion.startsWith('postgresql.cnpg.io/'))
  const logins = cluster.flatMap((object) => {
    const roles = fieldOf(object, 'spec', 'managed', 'roles')
    const names = (Array.isArray(roles) ? roles : []).map((role: unknown) =>
      fieldOf(role, 'passwordSecret', 'name'),
    )
    return [...names, fieldOf(object, 'spec', 'bootstrap', 'initdb', 'secret', 'name')].map((name) => ({
      by: object.metadata.name,
      secret: String(name),
      keys: ['username', 'password'],
    }))
  })
  return [...mounted, ...logins]
}

const secrets: Rule = {
  name: 'every Secret that is named is there or is made, with the entries that are requested',
  find: (objects) => {
    const present = secretsOf(objects)
    return secretUses(objects).flatMap(({ by, secret, keys }) => {
      const entries = present.get(secret)?.entries
      if (entries === undefined) return [`${by} needs the Secret ${secret}`]
      return keys
        .filter((key) => !entries.has(key))
        .map((key) => `${by} needs ${key} in the Secret ${secret}`)
    })
  },
}

const files: Rule = {
  name: 'every file that a variable names is mounted',
  find: (objects) =>
    workloadsOf(objects).flatMap((workload) =>
      environmentOf(workload, objects)
        .filter(({ name, value, file }) => name.endsWith('_FILE') && file === null && value.startsWith('/'))
        .map(({ name, value }) => `${workload.name} has no ${value} for ${name}`),
    ),
}

const scaling: Rule = {
  name: 'every autoscaler scales a Deployment, and every budget guards the pods of one',
  find: (objects) => {
    const deployments = workloadsOf(objects).filter(({ kind }) => kind === 'Deployment')
    const scalers = ofKind(objects, 'HorizontalPodAutoscaler').flatMap(({ metadata, spec }) => {
      const target = spec?.scaleTargetRef
      const found = target?.kind === 'Deployment' && deployments.some(({ name }) => name === target.name)
      return found ? [] : [`${metadata.name} scales ${target?.name}, which is not there`]
    })
    const budgets = ofKind(objects, 'PodDisruptionBudget').flatMap(({ metadata, spec }) => {
      const picked = deployments.filter(({ labels }) => selects(spec?.selector ?? {}, labels))
      return picked.length === 1 ? [] : [`${metadata.name} guards ${picked.length} Deployments`]
    })
    return [...scalers, ...budgets]
  },
}

const issuers: Rule = {
  name: 'every certificate has an issuer that is there',
  find: (objects) => {
    const present = namesOf(objects, 'Issuer')
    return objects
      .filter(({ kind }) => kind === 'Certificate')
      .map((object) => ({ name: object.metadata.name, issuer: fieldOf(object, 'spec', 'issuerRef', 'name') }))
      .filter(({ issuer }) => !present.has(String(issuer)))
      .map(({ name, issuer }) => `${name} is to be signed by ${issuer}, which is not there`)
  },
}

function backendsOf(object: KubernetesObject): readonly (readonly [name: unknown, port: unknown])[] {
  const lists = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const rules = lists(fieldOf(object, 'spec', 'rules'))
  if (object.kind === 'HTTPRoute')
    return rules
      .flatMap((rule) => lists(fieldOf(rule, 'backendRefs')))
      .map((backend) => [fieldOf(backend, 'name'), fieldOf(backend, 'port')])
  return rules
    .flatMap((rule) => lists(fieldOf(rule, 'http', 'paths')))
    .map((path) => fieldOf(path, 'backend', 'service'))
    .map((service) => [fieldOf(service, 'name'), fieldOf(service, 'port', 'name')])
}

const waysIn: Rule = {
  name: 'every way in leads to a Service and a port that are there, through a Gateway that is',
  find: (objects) =>
    objects
      .filter(({ kind }) => kind === 'HTTPRoute' || kind === 'Ingress')
      .flatMap((object) => {
        const lost = backendsOf(object).filter(([name, port]) => {
          const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === name)
          return !service?.spec?.ports?.some((one) => one.port === port || one.name === port)
        })
        const parent = fieldOf(object, 'spec', 'parentRefs', 0, 'name')
        const through = parent === undefined || namesOf(objects, 'Gateway').has(String(parent))
        return [
          ...lost.map(
            ([name, port]) => `${object.metadata.name} leads to ${name}:${port}, which is not there`,
          ),
          ...(through ? [] : [`${object.metadata.name} comes through ${parent}, which is not there`]),
        ]
      }),
}

export const referenceRules: readonly Rule[] = [
  owners,
  services,
  headless,
  configuration,
  volumes,
  files,
  scaling,
  issuers,
  waysIn,
]

/** Separate, because the base leaves Secrets to the operator. */
export const secretRule: Rule = secrets

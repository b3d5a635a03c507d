import { environmentOf } from '#libs/testing/kubernetes/container-environment.js'
import {
  fieldOf,
  type KubernetesObject,
  ofKind,
  workloadsOf,
} from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Rule } from './rule.js'

const labels: Rule = {
  name: 'every object says what it is and what it is part of',
  find: (objects) =>
    objects.flatMap(({ kind, metadata: { name, labels: own = {} } }) =>
      ['app.kubernetes.io/name', 'app.kubernetes.io/part-of']
        .filter((label) => own[label] === undefined)
        .map((label) => `${kind} ${name} lacks ${label}`),
    ),
}

const uniqueness: Rule = {
  name: 'no object is there twice',
  find: (objects) => {
    const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    return keys.filter((key, index) => keys.indexOf(key) !== index)
  },
}

const oneNamespace: Rule = {
  name: 'everything is in one namespace, which admits only restricted pods',
  find: (objects) => {
    const [namespace, ...more] = ofKind(objects, 'Namespace')
    const name = namespace?.metadata.name
    const enforced = namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce']
    return [
      ...more.map(({ metadata }) => `${metadata.name} is another namespace`),
      ...(enforced === 'restricted' ? [] : [`${name} lets in pods that are ${enforced ?? 'anything'}`]),
      ...objects
        .filter((object) => object.kind !== 'Namespace' && fieldOf(object, 'metadata', 'namespace') !== name)
        .map(({ kind, metadata }) => `${kind} ${metadata.name} is not in ${name}`),
    ]
  },
}

/** The images of all workloads, including the database of CloudNativePG. */
function imagesOf(objects: readonly KubernetesObject[]): readonly (readonly [name: string, image: string])[] {
  const own = workloadsOf(objects).flatMap(({ name, pod }) =>
    pod.containers.map(({ image = 'nothing' }) => [name, image] as const),
  )
  const others = objects.flatMap((object) => {
    const image = fieldOf(object, 'spec', 'imageName')
    return image === undefined ? [] : [[object.metadata.name, String(image)] as const]
  })
  return [...own, ...others]
}

/** A digest guarantees that the released image runs; a digest of zeros means "not released yet". */
export const pinnedImages: Rule = {
  name: 'every image is named by its digest',
  find: (objects) =>
    imagesOf(objects)
      .filter(([, image]) => !/@sha256:[0-9a-f]{64}$/.test(image))
      .map(([name, image]) => `${name} runs ${image}`),
}

export const noSecretValues: Rule = {
  name: 'no Secret is written down',
  find: (objects) => ofKind(objects, 'Secret').map(({ metadata }) => `${metadata.name} is written down`),
}

/** A Job is named after the version to which it migrates, and every object of the base has it as a label. */
export function versionRule(version: string): Rule {
  const label = 'app.kubernetes.io/version'
  return {
    name: `migrations are named by the version ${version}, and need no setting that may change`,
    find: (objects) => [
      ...ofKind(objects, 'Job').flatMap(({ metadata, spec }) => {
        const pod = spec?.template.spec
        const named = metadata.name.endsWith(`-migrate-${version.replaceAll('.', '-')}`)
        const changes = pod?.containers.some(({ envFrom = [] }) => envFrom.length > 0) === true
        return [
          ...(named ? [] : [`${metadata.name} is not named by ${version}`]),
          ...(changes ? [`${metadata.name} reads a ConfigMap, and a Job cannot be changed`] : []),
        ]
      }),
      ...[...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')]
        .filter(({ metadata }) => (metadata.labels?.[label] ?? version) !== version)
        .map(({ metadata }) => `${metadata.name} is labelled ${metadata.labels?.[label]}`),
    ],
  }
}

/** If the server fills in a default, every apply looks like a change, to which network plugins may react. */
const protocols: Rule = {
  name: 'every port of a network policy names its protocol',
  find: (objects) =>
    ofKind(objects, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
      [...(spec?.ingress ?? []), ...(spec?.egress ?? [])]
        .flatMap(({ ports = [] }) => ports)
        .filter(({ protocol }) => protocol === undefined)
        .map(({ port }) => `${metadata.name} names no protocol for ${port}`),
    ),
}

const allAddresses = new Set(['0.0.0.0/0', '::/0'])

/** The database has all data, so its pods must not reach anything outside the cluster. */
const databaseStays: Rule = {
  name: 'the pods of the database reach no address but those that are named',
  find: (objects) =>
    ofKind(objects, 'NetworkPolicy')
      .filter(({ metadata }) => metadata.name === 'postgres')
      .flatMap(({ spec }) => (spec?.egress ?? []).flatMap(({ to = [] }) => to))
      .flatMap(({ ipBlock }) =>
        ipBlock === undefined || !allAddresses.has(ipBlock.cidr) ? [] : [ipBlock.cidr],
      )
      .map((cidr) => `postgres may call ${cidr}`),
}

/** The part of the largest request that is not `data`. */
const envelopeBytes = 65_536

/** The gateway's timeout for a whole request. */
const requestSeconds = 900

function dataBytesMax(objects: readonly KubernetesObject[]): number {
  const values = ofKind(objects, 'ConfigMap').flatMap(({ data }) => data?.PLAN_PRO_DATA_BYTES ?? [])
  return Number(values[0])
}

/** Proxies in front must accept the largest body of any plan, for as long as the gateway would wait. */
const bodyLimits: Rule = {
  name: 'the way in takes the largest body of the plans, and a slow one',
  find: (objects) => [
    ...ofKind(objects, 'Ingress').flatMap((object) => {
      const { name, annotations = {} } = object.metadata
      const nginx = (key: string) => annotations[`nginx.ingress.kubernetes.io/${key}`]
      // Archives have no limit but that of the gateway.
      const takesArchives = fieldOf(object, 'spec', 'rules', 0, 'http', 'paths', 0, 'path') === '/api/import'
      const needed = takesArchives ? '0' : String(dataBytesMax(objects) + envelopeBytes)
      const wanted = {
        'proxy-body-size': needed,
        'proxy-request-buffering': 'off',
        'proxy-read-timeout': String(requestSeconds),
        'proxy-send-timeout': String(requestSeconds),
      }
      return Object.entries(wanted)
        .filter(([key, value]) => nginx(key) !== value)
        .map(([key, value]) => `${name} has ${key} ${nginx(key)} instead of ${value}`)
    }),
    ...objects
      .filter((object) => fieldOf(object, 'spec', 'rules', 0, 'backendRefs') !== undefined)
      .filter(
        (object) => fieldOf(object, 'spec', 'rules', 0, 'timeouts', 'request') !== `${requestSeconds / 60}m`,
      )
      .map(({ metadata }) => `${metadata.name} gives up before ${requestSeconds} s`),
  ],
}

const processNames: Rule = {
  name: 'where certificates are, every process has its own, renewed in time, and nothing goes in plain text',
  find: (objects) => {
    const certificates = objects.filter(
      (object) => object.kind === 'Certificate' && fieldOf(object, 'spec', 'isCA') !== true,
    )
    if (certificates.length === 0) return []
    const wrong = certificates.flatMap((object) => {
      const { name } = object.metadata
      const wanted: Readonly<Record<string, unknown>> = {
        uris: [`spiffe://snipkeep/${name}`],
        usages: ['digital signature', 'client auth', 'server auth'],
        duration: '24h',
        renewBefore: '8h',
        secretName: `${name}-tls`,
      }
      return Object.entries(wanted)
        .filter(([key, value]) => JSON.stringify(fieldOf(object, 'spec', key)) !== JSON.stringify(value))
        .map(([key]) => `the certificate of ${name} has other ${key}`)
    })
    const named = new Set(certificates.map(({ metadata }) => metadata.name))
    const ours = workloadsOf(objects).filter(
      ({ kind, pod }) => kind === 'Deployment' && pod.containers[0]?.image?.startsWith('snipkeep/') === true,
    )
    return [
      ...wrong,
      ...ours.filter(({ name }) => !named.has(name)).map(({ name }) => `${name} has no certificate`),
      ...ours
        .filter((workload) => environmentOf(workload, objects).some(({ name }) => name === 'GRPC_INSECURE'))
        .map(({ name }) => `${name} still speaks in plain text`),
    ]
  },
}

export const objectRules: readonly Rule[] = [
  labels,
  uniqueness,
  oneNamespace,
  bodyLimits,
  processNames,
  protocols,
  databaseStays,
]

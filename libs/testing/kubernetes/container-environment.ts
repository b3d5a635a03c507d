import {
  type Container,
  fieldOf,
  isKind,
  type KubernetesObject,
  ofKind,
  type Pod,
  type Workload,
} from './kubernetes-object.js'

/** A Secret as it will exist when pods start: its entries, as far as the manifests define them. */
export interface SecretEntries {
  /** `null` if the value comes from elsewhere. */
  readonly entries: ReadonlyMap<string, string | null>
}

function externalKeys(object: KubernetesObject): readonly string[] {
  const data = fieldOf(object, 'spec', 'data')
  return Array.isArray(data) ? data.map((item: unknown) => String(fieldOf(item, 'secretKey'))) : []
}

function unknownValues(keys: readonly string[]): SecretEntries {
  return { entries: new Map(keys.map((key) => [key, null])) }
}

function secretOf(object: KubernetesObject): readonly (readonly [name: string, secret: SecretEntries])[] {
  if (isKind(object, 'Secret')) {
    const data = Object.entries(object.data ?? {})
    const entries = data.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const)
    return [[object.metadata.name, { entries: new Map(entries) }]]
  }
  switch (object.kind) {
    case 'ExternalSecret':
      return [[String(fieldOf(object, 'spec', 'target', 'name')), unknownValues(externalKeys(object))]]
    case 'Certificate':
      return [
        [String(fieldOf(object, 'spec', 'secretName')), unknownValues(['ca.crt', 'tls.crt', 'tls.key'])],
      ]
    case 'Cluster':
      return [[`${object.metadata.name}-ca`, unknownValues(['ca.crt', 'ca.key'])]]
    default:
      return []
  }
}

/** Every Secret that the objects contain or create, by name. */
export function secretsOf(objects: readonly KubernetesObject[]): ReadonlyMap<string, SecretEntries> {
  return new Map(objects.flatMap(secretOf))
}

/** Where a file of a container comes from. */
export interface FileSource {
  readonly secret: string
  readonly key: string
}

function volumeFile(volume: NonNullable<Pod['volumes']>[number], path: string): FileSource | null {
  const plain = volume.secret
  const sources =
    plain === undefined
      ? (volume.projected?.sources ?? []).map(({ secret }) => ({ name: secret?.name, items: secret?.items }))
      : [{ name: plain.secretName, items: plain.items }]
  for (const { name, items } of sources) {
    const key = items === undefined ? path : items.find((item) => item.path === path)?.key
    if (name !== undefined && key !== undefined) return { secret: name, key }
  }
  return null
}

/** The Secret entry at this path of a container, or `null`. */
function fileSource(pod: Pod, container: Container, path: string): FileSource | null {
  for (const { mountPath, name, subPath } of container.volumeMounts ?? []) {
    const volume = pod.volumes?.find((candidate) => candidate.name === name)
    const inside = subPath ?? path.slice(mountPath.length + 1)
    const there = subPath === undefined ? path.startsWith(`${mountPath}/`) : path === mountPath
    if (volume !== undefined && there) return volumeFile(volume, inside)
  }
  return null
}

/** A variable of a container. */
export interface SetVariable {
  /** Without the `_FILE` of a secret that comes from a file. */
  readonly name: string
  readonly value: string
  /** If it is the path of a Secret's file: its content. */
  readonly file: (FileSource & { readonly content: string | null }) | null
}

function rawEnvironment(container: Container, objects: readonly KubernetesObject[]): Map<string, string> {
  const maps = ofKind(objects, 'ConfigMap')
  const values = new Map<string, string>()
  for (const { configMapRef } of container.envFrom ?? []) {
    const found = maps.find(({ metadata }) => metadata.name === configMapRef?.name)
    for (const [name, value] of Object.entries(found?.data ?? {})) values.set(name, value)
  }
  for (const { name, value } of container.env ?? []) values.set(name, value ?? '')
  return values
}

/** The environment of a workload's first container, with the Secrets behind the files it names. */
export function environmentOf(
  workload: Pick<Workload, 'pod'>,
  objects: readonly KubernetesObject[],
): readonly SetVariable[] {
  const [container] = workload.pod.containers
  if (container === undefined) return []
  const secrets = secretsOf(objects)
  return [...rawEnvironment(container, objects)].map(([name, value]) => {
    const source = name.endsWith('_FILE') ? fileSource(workload.pod, container, value) : null
    // `GRPC_TLS_*_FILE` are the variables' own names, not those of secrets in files.
    const named = source === null || name.startsWith('GRPC_TLS_') ? name : name.slice(0, -'_FILE'.length)
    const content = source === null ? null : (secrets.get(source.secret)?.entries.get(source.key) ?? null)
    return { name: named, value, file: source === null ? null : { ...source, content } }
  })
}

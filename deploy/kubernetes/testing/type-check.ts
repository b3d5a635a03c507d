import { join } from 'node:path'
import ts from 'typescript'
import type { KubernetesObject } from '#libs/testing/kubernetes/kubernetes-object.js'

/** The TypeScript interface of a kind. */
export interface Model {
  readonly module: string
  readonly name: string
  /** If the interface is of another API version than ours: that version, and why it is good enough. */
  readonly older?: { readonly apiVersion: string; readonly reason: string }
}

const kubernetes: Readonly<Record<string, readonly string[]>> = {
  'apps/v1': ['Deployment', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['Job'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  v1: ['ConfigMap', 'Namespace', 'Secret', 'Service', 'ServiceAccount'],
}

const others: Readonly<Record<string, string>> = {
  'cert-manager.io/v1/Certificate': 'cert-manager/cert-manager.io/v1/Certificate',
  'cert-manager.io/v1/Issuer': 'cert-manager/cert-manager.io/v1/Issuer',
  'gateway.networking.k8s.io/v1/Gateway': 'gateway-api/gateway.networking.k8s.io/v1/Gateway',
  'gateway.networking.k8s.io/v1/HTTPRoute': 'gateway-api/gateway.networking.k8s.io/v1/HTTPRoute',
  'monitoring.coreos.com/v1/ServiceMonitor': 'prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
  'postgresql.cnpg.io/v1/Cluster': 'cloudnative-pg/postgresql.cnpg.io/v1/Cluster',
}

/** By `apiVersion/kind`. */
export const models: ReadonlyMap<string, Model> = new Map<string, Model>([
  ...Object.entries(kubernetes).flatMap(([version, kinds]) =>
    kinds.map((kind): [string, Model] => [
      `${version}/${kind}`,
      { module: `kubernetes-models/${version}/${kind}`, name: `I${kind}` },
    ]),
  ),
  ...Object.entries(others).map(([key, path]): [string, Model] => [
    key,
    { module: `@kubernetes-models/${path}`, name: `I${path.split('/').at(-1)}` },
  ]),
  [
    'external-secrets.io/v1/ExternalSecret',
    {
      module: '@kubernetes-models/external-secrets/external-secrets.io/v1beta1/ExternalSecret',
      name: 'IExternalSecret',
      older: {
        apiVersion: 'external-secrets.io/v1beta1',
        reason:
          'the models end at v1beta1, which operators since 0.17 no longer serve; v1 carries its fields on',
      },
    },
  ],
])

interface Snippet {
  readonly source: string
  readonly labels: readonly string[]
}

function snippetOf(objects: readonly KubernetesObject[]): Snippet {
  const lines = objects.map((object, index) => {
    const model = models.get(`${object.apiVersion}/${object.kind}`)
    if (model === undefined) throw new Error(`no model is known for ${object.apiVersion} ${object.kind}`)
    const literal = JSON.stringify({ ...object, apiVersion: model.older?.apiVersion ?? object.apiVersion })
    return `export const object${index}: import('${model.module}').${model.name} = ${literal}`
  })
  const labels = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  return { source: `${lines.join('\n')}\n`, labels }
}

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
}

/**
 * Type-checks every object as a literal of its interface, in an in-memory file next to the packages of `folder`.
 * Returns one line for each misspelt field and each value of a wrong type.
 * @throws Error for a kind without a model.
 */
export function findTypeProblems(objects: readonly KubernetesObject[], folder: string): readonly string[] {
  const { source, labels } = snippetOf(objects)
  const path = join(folder, 'objects-in-memory.ts')
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === path || fileExists.call(host, name)
  host.getSourceFile = (name, version, ...rest) =>
    name === path
      ? ts.createSourceFile(name, source, version, true)
      : getSourceFile.call(host, name, version, ...rest)
  const program = ts.createProgram([path], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0
    return `${labels[line] ?? '?'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

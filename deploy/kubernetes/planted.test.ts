import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type KubernetesObject, parseObjects } from '#libs/testing/kubernetes/kubernetes-object.js'
import {
  kustomize,
  kustomizeMissing,
  kustomizeNote,
  kustomizeWith,
} from '#libs/testing/kubernetes/kustomize.js'
import { capacityRules } from './testing/capacity-rules.js'
import { noSecretValues, objectRules, pinnedImages, versionRule } from './testing/object-rules.js'
import { packageVersion } from './testing/package-version.js'
import { podRules } from './testing/pod-rules.js'
import { referenceRules, secretRule } from './testing/reference-rules.js'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const version = packageVersion()
const missing = kustomizeMissing !== null
const production = missing ? [] : kustomize(folder('overlays/production'))
const withIngress = missing ? [] : kustomizeWith(folder('base'), [folder('components/ingress')])

/** A planted mistake: in the text of one object, `right` becomes `wrong`. */
interface Slip {
  readonly object: string
  readonly right: string
  readonly wrong: string
  /** The problem that the rules report. */
  readonly problem: string
}

const job = `content-migrate-${version.replaceAll('.', '-')}`
const digest = `@sha256:${'0'.repeat(64)}`

/** One mistake per line: the object, the right text, the wrong text, and the problem that the rules report. */
const table = `
# pods
Deployment web | "runAsNonRoot":true | "runAsNonRoot":false | web may run as root
Deployment web | "runAsUser":10001 | "runAsUser":0 | web has no numeric user other than root
Deployment web | "RuntimeDefault" | "Unconfined" | web has no seccomp profile
Deployment web | "enableServiceLinks":false | "hostNetwork":true | web shares a namespace of its node
Deployment web | "enableServiceLinks":false, |  | web takes variables from Services
Deployment web | "allowPrivilegeEscalation":false, |  | web may gain privileges
Deployment web | "readOnlyRootFilesystem":true | "readOnlyRootFilesystem":false | web may write to its image
Job ${job} | "drop":["ALL"] | "drop":["KILL"] | ${job} keeps capabilities
Deployment web | "automountServiceAccountToken":false, |  | web is given a token
Deployment web | "serviceAccountName":"web", |  | web runs as the default account
ServiceAccount web | "automountServiceAccountToken":false | "automountServiceAccountToken":true | the account web gives its token away
Deployment web | "requests":{"cpu":"100m", | "requests":{ | web asks for no cpu
Deployment web | "memory":"384Mi" | "ephemeral-storage":"1Gi" | web has no limit of memory
Deployment content | "startupProbe": | "lifecycle": | content has no startupProbe
Deployment content | "port":50050 | "port":50060 | content has a livenessProbe of the port 50060, which it does not offer
Deployment gateway | "path":"/healthz" | "path":"/readyz" | gateway is killed when others are away
Deployment content | "service":"liveness" | "service":"" | content is killed when its database is away
Deployment content | "terminationGracePeriodSeconds":75 | "terminationGracePeriodSeconds":60 | content takes 70000 ms and is killed after 60000
Deployment content | "topologyKey":"topology.kubernetes.io/zone" | "topologyKey":"zone" | content is not spread by topology.kubernetes.io/zone
# references
Deployment web | "selector":{"matchLabels":{"app.kubernetes.io/component":"web", | "selector":{"matchLabels":{"app.kubernetes.io/component":"wep", | web selects nothing
Service content | "selector":{"app.kubernetes.io/component":"service", | "selector":{ | content leads to 2 workloads
Service web | "targetPort":"http" | "targetPort":"htttp" | web leads to the port htttp, which web does not have
Service content | "clusterIP":"None" | "clusterIP":"" | content is balanced by connections
Deployment web | "configMapRef":{"name":"channel | "configMapRef":{"name":"chanel | there is no ConfigMap chanel
Deployment web | "serviceAccountName":"web" | "serviceAccountName":"wep" | web runs as wep, an account that is not there
Deployment content | "name":"tls","secret" | "name":"tsl","secret" | content mounts tls, which is not there
Deployment content | "mountPath":"/run/secrets/snipkeep" | "mountPath":"/run/secrets" | content needs snipkeep/DATABASE_URL in the Secret content-secrets
Deployment content | "mountPath":"/etc/snipkeep/tls" | "mountPath":"/etc/tls" | content has no /etc/snipkeep/tls/ca.crt for GRPC_TLS_CA_FILE
Deployment content | "secretName":"content-tls" | "secretName":"contents-tls" | content needs the Secret contents-tls
ExternalSecret identity-secrets | "secretKey":"API_KEY_PEPPER" | "secretKey":"PEPPER" | identity needs API_KEY_PEPPER in the Secret identity-secrets
Cluster snipkeep-postgres | "name":"billing-database" | "name":"payment-database" | snipkeep-postgres needs the Secret payment-database
HorizontalPodAutoscaler web | "name":"web"}} | "name":"wep"}} | web scales wep, which is not there
PodDisruptionBudget web | "app.kubernetes.io/name":"web"}} | "app.kubernetes.io/name":"wep"}} | web guards 0 Deployments
Certificate web | "name":"snipkeep-processes" | "name":"snipkeep" | web is to be signed by snipkeep, which is not there
HTTPRoute snipkeep | "port":80 | "port":8080 | snipkeep leads to gateway:8080, which is not there
HTTPRoute snipkeep | "parentRefs":[{"name":"snipkeep" | "parentRefs":[{"name":"other" | snipkeep comes through other, which is not there
# how much
HorizontalPodAutoscaler content | "maxReplicas":6 | "maxReplicas":12 | 458 connections are needed; of 400, 390 may be used
PodDisruptionBudget web | "maxUnavailable":1 | "minAvailable":2 | web lets no pod go at 2 replicas
PodDisruptionBudget web | "maxUnavailable":1 | "maxUnavailable":2 | web lets all 2 pods go at once
PodDisruptionBudget web | "maxUnavailable":1 | "maxUnavailable":"50%" | web counts in percent, which rounds to none or to all
HorizontalPodAutoscaler web | "minReplicas":2 | "minReplicas":1 | web guards a single pod
Deployment web | "maxUnavailable":0 | "maxUnavailable":1 | web is fewer while it is rolled
Deployment web | "spec":{"selector" | "spec":{"replicas":3,"selector" | web names replicas, which undoes what its autoscaler did
Deployment identity | "minReadySeconds":35 | "minReadySeconds":5 | identity changes two pods within 30 s
Deployment web | "type":"RollingUpdate" | "paused":false | web leaves the type of its strategy to the server
# names and marks
NetworkPolicy database | "port":5432,"protocol":"TCP" | "port":5432 | database names no protocol for 5432
NetworkPolicy postgres | 192.0.2.1/32 | 0.0.0.0/0 | postgres may call 0.0.0.0/0
Certificate web | spiffe://snipkeep/web | spiffe://snipkeep/gateway | the certificate of web has other uris
Certificate web | "client auth", |  | the certificate of web has other usages
Certificate web | "kind":"Certificate" | "kind":"Issuer" | web has no certificate
Certificate web | "app.kubernetes.io/part-of":"snipkeep" | "part-of":"snipkeep" | Certificate web lacks app.kubernetes.io/part-of
Service web | "name":"web","namespace" | "name":"content","namespace" | Service content
Namespace snipkeep | "pod-security.kubernetes.io/enforce":"restricted" | "pod-security.kubernetes.io/enforce":"baseline" | snipkeep lets in pods that are baseline
Service web | "namespace":"snipkeep" | "namespace":"default" | Service web is not in snipkeep
Deployment web | ${digest} | :latest | web runs snipkeep/web:latest
Cluster snipkeep-postgres | ${digest} |  | snipkeep-postgres runs ghcr.io/cloudnative-pg/postgresql:17.7
ExternalSecret gateway-secrets | "kind":"ExternalSecret" | "kind":"Secret" | gateway-secrets is written down
Job ${job} | "name":"${job}" | "name":"content-migrate" | content-migrate is not named by ${version}
Job ${job} | "env":[ | "envFrom":[{"configMapRef":{"name":"plans"}}],"env":[ | ${job} reads a ConfigMap, and a Job cannot be changed
Deployment web | "app.kubernetes.io/version":"${version}" | "app.kubernetes.io/version":"0.0.9" | web is labelled 0.0.9
HTTPRoute snipkeep | "request":"15m" | "request":"1m" | snipkeep gives up before 900 s
Ingress snipkeep | "52494336" | "50m" | snipkeep has proxy-body-size 50m instead of 52494336
`

const slips: readonly Slip[] = table
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [object = '', right = '', wrong = '', problem = ''] = line.split(' | ')
    return { object, right, wrong, problem }
  })

const rules = [
  ...objectRules,
  ...podRules,
  ...referenceRules,
  ...capacityRules,
  secretRule,
  pinnedImages,
  noSecretValues,
  versionRule(version),
]

function findProblems(objects: readonly KubernetesObject[]): readonly string[] {
  return rules.flatMap((rule) => rule.find(objects))
}

function plant(
  objects: readonly KubernetesObject[],
  { object, right, wrong }: Slip,
): readonly KubernetesObject[] {
  return objects.flatMap((one) => {
    if (`${one.kind} ${one.metadata.name}` !== object) return one
    const text = JSON.stringify(one)
    if (!text.includes(right)) throw new Error(`${object} does not hold ${right}: ${text}`)
    return parseObjects(text.replace(right, wrong))
  })
}

describe.runIf(!missing)(`planted violations${kustomizeNote}`, () => {
  it('without one, production violates no rule', () => {
    expect(findProblems(production)).toEqual([])
  })

  it.each(slips)('$object: $problem', (planted) => {
    const objects = planted.object.startsWith('Ingress') ? withIngress : production
    const problems = findProblems(plant(objects, planted))
    expect(problems.map((line) => line.startsWith(planted.problem))).toContain(true)
  })

  it('every rule has detected a violation', () => {
    const silent = rules.filter(({ find }) => {
      const found = slips.some((planted) => {
        const objects = planted.object.startsWith('Ingress') ? withIngress : production
        return find(plant(objects, planted)).some((line) => line.startsWith(planted.problem))
      })
      return !found
    })
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})

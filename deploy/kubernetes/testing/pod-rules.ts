import { environmentOf } from '#libs/testing/kubernetes/container-environment.js'
import {
  type Container,
  fieldOf,
  type KubernetesObject,
  ofKind,
  selects,
  type Workload,
  workloadsOf,
} from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Rule } from './rule.js'

/** A rule for every workload; each line has the workload's name and the problem. */
function ofWorkloads(
  name: string,
  find: (workload: Workload, objects: readonly KubernetesObject[]) => readonly string[],
): Rule {
  return {
    name,
    find: (objects) =>
      workloadsOf(objects).flatMap((workload) =>
        find(workload, objects).map((problem) => `${workload.name} ${problem}`),
      ),
  }
}

function missing(wanted: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(wanted).flatMap(([problem, fine]) => (fine ? [] : [problem]))
}

function containersOf({ pod }: Workload): readonly Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers]
}

const restricted = ofWorkloads('every pod is as restricted as Pod Security can ask for', (workload) => {
  const { securityContext: pod, hostNetwork, hostPID, hostIPC } = workload.pod
  return [
    ...missing({
      'may run as root': pod?.runAsNonRoot === true,
      'has no numeric user other than root': (pod?.runAsUser ?? 0) > 0 && (pod?.runAsGroup ?? 0) > 0,
      'has no seccomp profile': pod?.seccompProfile?.type === 'RuntimeDefault',
      'shares a namespace of its node': !hostNetwork && !hostPID && !hostIPC,
    }),
    ...containersOf(workload).flatMap(({ securityContext: own }) =>
      missing({
        'may gain privileges': own?.allowPrivilegeEscalation === false && own.privileged !== true,
        'may write to its image': own?.readOnlyRootFilesystem === true,
        'keeps capabilities':
          own?.capabilities?.drop?.includes('ALL') === true && own.capabilities.add === undefined,
      }),
    ),
  ]
})

const noToken: Rule = {
  name: 'no pod holds a token of the API server, and no pod runs as the default account',
  find: (objects) => [
    ...workloadsOf(objects).flatMap(({ name, pod }) =>
      missing({
        [`${name} is given a token`]: pod.automountServiceAccountToken === false,
        [`${name} runs as the default account`]: (pod.serviceAccountName ?? 'default') !== 'default',
      }),
    ),
    ...objects.flatMap((object) =>
      object.kind === 'ServiceAccount' && fieldOf(object, 'automountServiceAccountToken') !== false
        ? [`the account ${object.metadata.name} gives its token away`]
        : [],
    ),
  ],
}

const noServiceLinks = ofWorkloads(
  'no Service writes into the environment of a pod: that of web would set WEB_PORT',
  ({ pod }) => missing({ 'takes variables from Services': pod.enableServiceLinks === false }),
)

const resources = ofWorkloads('every container says what it needs and how much it may take', (workload) =>
  containersOf(workload).flatMap(({ resources: { requests = {}, limits = {} } = {} }) =>
    ['cpu', 'memory'].flatMap((kind) => [
      ...(requests[kind] === undefined ? [`asks for no ${kind}`] : []),
      ...(limits[kind] === undefined ? [`has no limit of ${kind}`] : []),
    ]),
  ),
)

type Probe = NonNullable<Container['livenessProbe']>

/** The port of a probe, as containers name theirs. */
function portOf(probe: Probe): string | number | undefined {
  return probe.grpc?.port ?? probe.httpGet?.port ?? probe.tcpSocket?.port
}

function probeProblems(container: Container): readonly string[] {
  const { startupProbe, livenessProbe, readinessProbe, ports = [] } = container
  const probes = Object.entries({ startupProbe, livenessProbe, readinessProbe })
  const offered = new Set<string | number>(
    ports.flatMap((port) => [port.containerPort, ...(port.name === undefined ? [] : [port.name])]),
  )
  return probes.flatMap(([name, probe]) => {
    if (probe === undefined) return [`has no ${name}`]
    const port = portOf(probe)
    const asksElsewhere = port !== undefined && !offered.has(port)
    return asksElsewhere ? [`has a ${name} of the port ${port}, which it does not offer`] : []
  })
}

const probes = ofWorkloads(
  'what serves is watched from its start, while it lives and before it serves',
  (workload) => (workload.kind === 'Job' ? [] : workload.pod.containers.flatMap(probeProblems)),
)

const liveness = ofWorkloads('being alive depends on nothing but the process itself', ({ kind, pod }) =>
  kind === 'Job'
    ? []
    : pod.containers.flatMap(({ livenessProbe, startupProbe }) =>
        missing({
          'is killed when others are away':
            livenessProbe?.httpGet?.path !== '/readyz' && startupProbe?.httpGet?.path !== '/readyz',
          'is killed when its database is away': [livenessProbe, startupProbe].every(
            (probe) => probe?.grpc === undefined || probe.grpc.service === 'liveness',
          ),
          'is killed by a command': livenessProbe?.exec === undefined,
          'is killed by a single slow response': (livenessProbe?.failureThreshold ?? 3) >= 2,
        }),
      ),
)

/** The pod's grace period must cover that of the process, which includes the shutdown delay. */
const stopping = ofWorkloads(
  'a stopping process has the time to drain that it takes',
  (workload, objects) => {
    const values = new Map(environmentOf(workload, objects).map(({ name, value }) => [name, Number(value)]))
    const [delay, taken] = [values.get('SHUTDOWN_DELAY_MS') ?? 0, values.get('SHUTDOWN_GRACE_MS')]
    if (taken === undefined) return []
    const grace = (workload.pod.terminationGracePeriodSeconds ?? 30) * 1_000
    return missing({
      [`takes ${taken} ms and is killed after ${grace}`]: taken < grace,
      'serves on while it is still being called': delay >= 5_000,
    })
  },
)

const spread: Rule = {
  name: 'the pods of whatever scales are spread over nodes and zones',
  find: (objects) => {
    const scaled = ofKind(objects, 'HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef.name)
    return workloadsOf(objects)
      .filter(({ kind, name }) => kind === 'Deployment' && scaled.includes(name))
      .flatMap(({ name, labels, pod }) =>
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].flatMap((key) => {
          const found = pod.topologySpreadConstraints?.find(({ topologyKey }) => topologyKey === key)
          return found !== undefined && selects(found.labelSelector ?? {}, labels)
            ? []
            : [`${name} is not spread by ${key}`]
        }),
      )
  },
}

export const podRules: readonly Rule[] = [
  restricted,
  noToken,
  noServiceLinks,
  resources,
  probes,
  liveness,
  stopping,
  spread,
]

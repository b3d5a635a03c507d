import { environmentOf, type SetVariable } from '#libs/testing/kubernetes/container-environment.js'
import { type Workload, workloadsOf } from '#libs/testing/kubernetes/kubernetes-object.js'
import type { Build } from '#libs/testing/kubernetes/kustomize.js'
import type { ProcessVariables } from '../processes.js'

/** A workload that runs one of our processes. */
export interface ProcessWorkload {
  readonly workload: Workload
  /** The process whose `config.ts` reads the environment. */
  readonly process: string
  /** Whether it migrates the schema instead of serving. */
  readonly migrates: boolean
  readonly environment: readonly SetVariable[]
  readonly reads: ReadonlySet<string>
}

/** The variables that a process reads; for a migration only the database's. */
function namesRead({ variables }: ProcessVariables, migrates: boolean): ReadonlySet<string> {
  return new Set(Object.keys(variables).filter((name) => !migrates || name.startsWith('DATABASE_')))
}

/** Every workload of a build that runs one of these processes, recognised by its image. */
export function processWorkloads(
  { objects }: Build,
  processes: readonly ProcessVariables[],
): readonly ProcessWorkload[] {
  return workloadsOf(objects).flatMap((workload) => {
    const [container] = workload.pod.containers
    const found = processes.find(
      ({ process }) => container?.image?.split(/[:@]/)[0] === `snipkeep/${process}`,
    )
    if (found === undefined) return []
    const migrates = container?.args?.[0] === 'migrate'
    return [
      {
        workload,
        process: found.process,
        migrates,
        environment: environmentOf(workload, objects),
        reads: namesRead(found, migrates),
      },
    ]
  })
}

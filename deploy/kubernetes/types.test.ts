import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type KubernetesObject, parseObjects } from '#libs/testing/kubernetes/kubernetes-object.js'
import { buildEverything, kustomizeMissing, kustomizeNote } from '#libs/testing/kubernetes/kustomize.js'
import { findTypeProblems } from './testing/type-check.js'

const root = fileURLToPath(new URL('.', import.meta.url))

function withoutDoubles(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
}

const builds = buildEverything(root)
const objects = withoutDoubles(builds.flatMap((build) => build.objects))

/** Every object with one misspelt field. */
function misspell(text: string, right: string, wrong: string): readonly KubernetesObject[] {
  return objects
    .filter((object) => JSON.stringify(object).includes(text))
    .slice(0, 1)
    .flatMap((object) => parseObjects(JSON.stringify(object).replace(right, wrong)))
}

const slips = [
  ['Deployment', '"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'],
  ['Deployment', '"terminationGracePeriodSeconds":75', '"terminationGracePeriodSeconds":"75"'],
  ['NetworkPolicy', '"podSelector"', '"podselector"'],
  ['HorizontalPodAutoscaler', '"averageUtilization"', '"averageUtilisation"'],
  ['HTTPRoute', '"backendRefs"', '"backendRef"'],
  ['Certificate', '"renewBefore"', '"renewsBefore"'],
  ['ServiceMonitor', '"scrapeTimeout"', '"scrapeTimeOut"'],
  ['ExternalSecret', '"remoteRef"', '"remoteRefs"'],
  ['Cluster', '"postInitApplicationSQL"', '"postInitApplicationSql"'],
] as const

describe.runIf(kustomizeMissing === null)(`types of the objects${kustomizeNote}`, () => {
  it('every object matches its kind’s schema', { timeout: 300_000 }, () => {
    expect(objects.length).toBeGreaterThan(100)
    expect(findTypeProblems(objects, root)).toEqual([])
  })

  it('misspelt fields and wrong types are detected in every kind', { timeout: 300_000 }, () => {
    const planted = slips.flatMap(([kind, right, wrong]) => misspell(`"kind":"${kind}"`, right, wrong))
    expect(planted).toHaveLength(slips.length)
    const problems = findTypeProblems(planted, root)
    for (const [kind] of slips) expect(problems.join('\n')).toContain(`${kind} `)
    expect(new Set(problems.map((line) => line.split(':')[0])).size).toBe(
      new Set(planted.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size,
    )
  })
})

import { stepsOf } from '../json-pointer.js'
import { CompareError } from './comparison.js'

/** Where a value is in the pointers that are ignored: what each further step leads to. */
export interface IgnoredPath {
  readonly steps: Map<string, IgnoredPath>
  any: IgnoredPath | null
  isEnd: boolean
}

function emptyPath(): IgnoredPath {
  return { steps: new Map(), any: null, isEnd: false }
}

/** Where the root of a document is in these pointers; none if nothing is ignored. */
export function ignoredPaths(pointers: readonly string[]): readonly IgnoredPath[] {
  const root = emptyPath()
  for (const pointer of pointers) {
    const steps = stepsOf(pointer)
    if (steps === null) throw new CompareError('invalid_option', `This is not a JSON Pointer: ${pointer}`)
    let path = root
    for (const step of steps) {
      const known = step === '*' ? path.any : path.steps.get(step)
      const next = known ?? emptyPath()
      if (step === '*') path.any = next
      else path.steps.set(step, next)
      path = next
    }
    path.isEnd = true
  }
  return pointers.length === 0 ? [] : [root]
}

/** Where a child is. */
export function childPaths(paths: readonly IgnoredPath[], step: string): readonly IgnoredPath[] {
  return paths.flatMap((path) => {
    const named = path.steps.get(step)
    return [...(named === undefined ? [] : [named]), ...(path.any === null ? [] : [path.any])]
  })
}

/** Whether the value at this place is ignored. */
export function isIgnored(paths: readonly IgnoredPath[]): boolean {
  return paths.some(({ isEnd }) => isEnd)
}

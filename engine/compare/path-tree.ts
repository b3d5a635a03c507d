import { stepsOf } from '../json-pointer.js'
import { CompareError } from './comparison.js'

/** Where a value is among paths: what each further step leads to, and what is said of the value itself. */
export interface PathNode<Said> {
  readonly steps: Map<string, PathNode<Said>>
  any: PathNode<Said> | null
  readonly said: Said[]
}

function emptyNode<Said>(): PathNode<Said> {
  return { steps: new Map(), any: null, said: [] }
}

/**
 * Where the root of a document is among JSON Pointers in which `*` stands for any one step; nowhere if there are none.
 * @throws CompareError for what is no JSON Pointer.
 */
export function pathTree<Said>(
  entries: Iterable<readonly [pointer: string, said: Said]>,
): readonly PathNode<Said>[] {
  const root = emptyNode<Said>()
  let isEmpty = true
  for (const [pointer, said] of entries) {
    isEmpty = false
    const steps = stepsOf(pointer)
    if (steps === null) throw new CompareError('invalid_option', `This is not a JSON Pointer: ${pointer}`)
    let path = root
    for (const step of steps) {
      const known = step === '*' ? path.any : path.steps.get(step)
      const next = known ?? emptyNode<Said>()
      if (step === '*') path.any = next
      else path.steps.set(step, next)
      path = next
    }
    path.said.push(said)
  }
  return isEmpty ? [] : [root]
}

/** Where a child is. */
export function childPaths<Said>(paths: readonly PathNode<Said>[], step: string): readonly PathNode<Said>[] {
  return paths.flatMap((path) => {
    const named = path.steps.get(step)
    return [...(named === undefined ? [] : [named]), ...(path.any === null ? [] : [path.any])]
  })
}

/** Where the root is among pointers that are ignored. */
export function ignoredPaths(pointers: readonly string[]): readonly PathNode<true>[] {
  return pathTree(pointers.map((pointer) => [pointer, true] as const))
}

/** Whether the value at this place is ignored. */
export function isIgnored(paths: readonly PathNode<true>[]): boolean {
  return paths.some(({ said }) => said.length > 0)
}

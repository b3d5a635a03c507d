import { createIntList } from '../int-list.js'

/** A value is gone, is new, was replaced at its place, or has moved among its siblings. */
export const [removed, added, replaced, moved] = [0, 1, 2, 3]

/** The path of the root. */
export const rootPath = 0

/** Where a child is: in what, and by which step. */
export interface EditLocation {
  /** The path of the object or array around it. */
  readonly parent: number
  readonly isMember: boolean
  /** The number of its key, or its index in the first document: for a new item, that of the one after it. */
  readonly step: number
  /** The same in the second document. */
  readonly newStep: number
}

/** A step of a path. */
export interface Step {
  readonly isMember: boolean
  readonly step: number
}

/** One edit. */
export interface JsonEdit {
  readonly op: number
  /** The path of the value. */
  readonly path: number
  /** Its node in the first document; of one that was added, 0. */
  readonly node: number
  /** Its node in the second document; of one that was removed, 0. */
  readonly newNode: number
}

/** Edits that turn the first document into the second, in the order of the documents. */
export interface JsonEdits {
  /** How many there are, by `removed`, `added`, `replaced` and `moved`, those included that are not kept. */
  readonly counts: readonly [removed: number, added: number, replaced: number, moved: number]
  /** How many are kept. */
  length(): number
  at(edit: number): JsonEdit
  /** Adds an edit; without a place it is one of the root. */
  add(op: number, place: EditLocation | null, node: number, newNode: number): void
  /** The path of a child that is compared itself. */
  enter(place: EditLocation): number
  /** Where the child of a path is; of the root, in itself. */
  locationOf(path: number): EditLocation
  /** The steps of a path, from the root on, in the first or the second document. */
  stepsOf(path: number, inSecond: boolean): readonly Step[]
}

/** No edits yet. At most `editsMax` are kept, the others only counted. */
export function createJsonEdits(editsMax: number): JsonEdits {
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  /** Four numbers for each edit. */
  const edits = createIntList()
  /** Three numbers for each path: its parent, doubled, with 1 for a member; and both steps. The first is the root's. */
  const paths = createIntList()
  for (let at = 0; at < 3; at += 1) paths.push(0)
  const length = (): number => edits.length() / 4

  function enter({ parent, isMember, step, newStep }: EditLocation): number {
    const path = paths.length() / 3
    paths.push(parent * 2 + (isMember ? 1 : 0))
    paths.push(step)
    paths.push(newStep)
    return path
  }

  function locationOf(path: number): EditLocation {
    const linked = paths.at(path * 3)
    const [step, newStep] = [paths.at(path * 3 + 1), paths.at(path * 3 + 2)]
    return { parent: linked >> 1, isMember: linked % 2 === 1, step, newStep }
  }

  return {
    counts,
    length,
    locationOf,
    at: (edit) => ({
      op: edits.at(edit * 4),
      path: edits.at(edit * 4 + 1),
      node: edits.at(edit * 4 + 2),
      newNode: edits.at(edit * 4 + 3),
    }),
    add(op, place, node, newNode) {
      counts[op] = (counts[op] ?? 0) + 1
      if (length() >= editsMax) return
      edits.push(op)
      edits.push(place === null ? rootPath : enter(place))
      edits.push(node)
      edits.push(newNode)
    },
    enter,
    stepsOf(path, inSecond) {
      const steps: Step[] = []
      for (let at = path; at !== rootPath; ) {
        const { parent, isMember, step, newStep } = locationOf(at)
        steps.push({ isMember, step: inSecond ? newStep : step })
        at = parent
      }
      return steps.reverse()
    },
  }
}

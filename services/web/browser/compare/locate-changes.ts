import type { Change } from '#engine/compare/comparison.js'
import { stepsOf } from '#engine/json-pointer.js'

/** Where a change is shown: by the place in the second document where that is known. */
export interface LocatedChange {
  readonly change: Change
  readonly steps: readonly string[]
  /** The first of the steps that are known in the first document alone; their number where there is none. */
  readonly beforeFrom: number
}

function isIndex(step: string): boolean {
  return /^(0|[1-9]\d*)$/.test(step)
}

/** What is known of items that are elsewhere in the second document. */
interface Moves {
  /** By a place in the first document the step that takes its place in the second. */
  readonly steps: Map<string, string>
  /** Containers, by their place in the first or the second document, whose items are not where they were. */
  readonly shifted: Set<string>
}

function prefix(steps: readonly string[], length: number): string {
  return JSON.stringify(steps.slice(0, length))
}

function movesOf(changes: readonly Change[]): Moves {
  const moves: Moves = { steps: new Map(), shifted: new Set() }
  for (const { op, pointer, newPointer } of changes) {
    const steps = stepsOf(pointer) ?? []
    const last = steps.at(-1)
    if (op !== 'replace' && last !== undefined && isIndex(last))
      moves.shifted.add(prefix(steps, steps.length - 1))
    const now = newPointer === undefined ? steps : (stepsOf(newPointer) ?? [])
    if (newPointer === undefined && op !== 'replace') continue
    if (now.length !== steps.length) continue
    now.forEach((step, place) => {
      if (isIndex(step)) moves.steps.set(prefix(steps, place + 1), step)
      if (step !== steps[place]) moves.shifted.add(prefix(steps, place))
    })
  }
  return moves
}

/** What was removed is shown where it was, within containers that are still there. */
function removedSteps(
  steps: readonly string[],
  { steps: moved, shifted }: Moves,
): Omit<LocatedChange, 'change'> {
  const now: string[] = []
  let beforeFrom = steps.length - 1
  for (const [place, step] of steps.entries()) {
    const there = moved.get(prefix(steps, place + 1))
    if (there === undefined && isIndex(step) && shifted.has(prefix(steps, place)))
      beforeFrom = Math.min(beforeFrom, place)
    now.push(place === steps.length - 1 ? step : (there ?? step))
  }
  return { steps: now, beforeFrom: Math.max(0, beforeFrom) }
}

/** Places changes so that those of one value come together, though its place may have changed. */
export function locateChanges(changes: readonly Change[]): readonly LocatedChange[] {
  const moves = movesOf(changes)
  return changes.map((change) => {
    const steps = stepsOf(change.newPointer ?? change.pointer) ?? []
    if (change.op === 'remove') return { change, ...removedSteps(steps, moves) }
    return { change, steps, beforeFrom: steps.length }
  })
}

import type { Change } from '#engine/compare/comparison.js'

/** A break of a contract, as a check lists it. */
export interface ListedBreak {
  /** In the second document; of what was removed, in the first. */
  readonly pointer: string
  readonly rule: string
}

function isBelow(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}/`)
}

/** Whether one of two places is the other, or holds it. */
function isAlong(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one)
}

function isBroken({ op, pointer: before, newPointer }: Change, { pointer, rule }: ListedBreak): boolean {
  const now = newPointer ?? before
  switch (rule) {
    case 'removed':
      return op !== 'add' && isAlong(before, pointer)
    case 'order':
      return op !== 'replace' && isBelow(now, pointer)
    case 'schema':
      // What holds all that is wrong may hold what is not.
      return op !== 'remove' && (now === pointer || isBelow(pointer, now))
    default:
      return op === 'remove' ? isBelow(before, pointer) : isAlong(now, pointer)
  }
}

/** Those of the changes that a contract does not allow. */
export function brokenChanges(
  changes: readonly Change[],
  breaks: readonly ListedBreak[],
): ReadonlySet<Change> {
  return new Set(changes.filter((change) => breaks.some((one) => isBroken(change, one))))
}

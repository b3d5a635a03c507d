import { type Change, type CompareOptions, maxChangesDefault } from './comparison.js'

/** Changes that are listed, up to a number and a length of them; the others are only counted. */
export interface ChangeList {
  readonly changes: readonly Change[]
  /** Makes the change only if there is room for it. */
  add(change: () => Change): void
  /** Whether there are more changes than are listed. */
  isTruncated(): boolean
}

/** An empty list. */
export function createChangeList({
  maxChanges = maxChangesDefault,
  maxChangeUnits = Number.POSITIVE_INFINITY,
}: Pick<CompareOptions, 'maxChanges' | 'maxChangeUnits'>): ChangeList {
  const changes: Change[] = []
  let [count, units] = [0, 0]
  return {
    changes,
    add(make) {
      count += 1
      if (changes.length >= maxChanges || units >= maxChangeUnits) return
      const change = make()
      for (const text of Object.values(change)) units += text.length
      changes.push(change)
    },
    isTruncated: () => count > changes.length,
  }
}

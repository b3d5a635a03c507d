import { diffWordsWithSpace } from 'diff'
import type { DiffSide } from '../document-reader.js'

type Pieces = DiffSide['pieces']

/** Longer lines are not compared by words. */
const lengthMax = 2_000
const editsMax = 200

/**
 * Splits two lines into pieces and marks what the other line lacks; marks everything when hardly a word is
 * equal.
 */
export function compareWords(left: string, right: string): readonly [Pieces, Pieces] {
  const whole = (text: string): Pieces => [{ text, isChanged: false }]
  const changes =
    left.length > lengthMax || right.length > lengthMax
      ? undefined
      : diffWordsWithSpace(left, right, { maxEditLength: editsMax })
  if (changes === undefined) return [whole(left), whole(right)]
  const kept = changes.filter(({ added, removed }) => !added && !removed)
  const keptLength = kept.reduce((length, { value }) => length + value.trim().length, 0)
  if (keptLength * 5 < Math.min(left.trim().length, right.trim().length)) return [whole(left), whole(right)]
  const pieces = (skipped: 'added' | 'removed', marked: 'added' | 'removed'): Pieces =>
    changes
      .filter((change) => !change[skipped])
      .map((change) => ({ text: change.value, isChanged: change[marked] }))
  return [pieces('added', 'removed'), pieces('removed', 'added')]
}

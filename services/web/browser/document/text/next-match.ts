import type { Wanted } from '../document-reader.js'

/** How many matches are before a place, and how many are there or before it. */
export interface MatchesAround {
  readonly before: number
  readonly through: number
}

/** The index of the next match after a place, or the previous one, wrapping around; without a place, the first or the last. */
export function nextMatch(
  total: number,
  { backwards, isHere = false }: Pick<Wanted, 'backwards' | 'isHere'>,
  around: MatchesAround | null,
): number {
  if (around === null) return backwards ? total - 1 : 0
  if (backwards) return (around.before + total - 1) % total
  return (isHere ? around.before : around.through) % total
}

/** Something that is found by words. */
export interface Findable {
  readonly label: string
  /** Other words for it. */
  readonly words?: string
}

/** The whole name, its beginning, the phrase somewhere, or each word somewhere, the best first; `null` if it lacks one. */
function rankOf({ label, words = '' }: Findable, search: string): number | null {
  const name = label.toLowerCase()
  const all = `${name} ${words.toLowerCase()}`
  const ranks = [name === search, name.startsWith(search), name.includes(search), all.includes(search)]
  const rank = ranks.indexOf(true)
  if (rank >= 0) return rank
  return search.split(/\s+/).every((word) => all.includes(word)) ? ranks.length : null
}

/** What fits a search, the best first; everything for an empty one. */
export function rankFound<Item extends Findable>(items: readonly Item[], typed: string): readonly Item[] {
  const search = typed.trim().toLowerCase()
  if (search === '') return items
  return items
    .flatMap((item) => {
      const rank = rankOf(item, search)
      return rank === null ? [] : [{ item, rank }]
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

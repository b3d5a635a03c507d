import type { Guide, GuideHeading } from './guides.js'

/** What a search reads of a guide. */
export type SearchedGuide = Pick<Guide, 'name' | 'title' | 'headings'>

/** A heading that a search has found; `null` stands for the title of its guide. */
export interface FoundHeading {
  readonly guide: SearchedGuide
  readonly heading: GuideHeading | null
}

interface Candidate extends FoundHeading {
  readonly words: readonly string[]
  /** The words of the headings above it. */
  readonly above: readonly string[]
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Each heading of a guide with those above it. */
function candidatesOf(guide: SearchedGuide): readonly Candidate[] {
  const title = wordsOf(guide.title)
  let section: readonly string[] = []
  const headings = guide.headings.map((heading): Candidate => {
    const words = wordsOf(heading.text)
    if (heading.depth === 2) section = words
    return { guide, heading, words, above: heading.depth === 2 ? title : [...title, ...section] }
  })
  return [{ guide, heading: null, words: title, above: [] }, ...headings]
}

/** Words are alike if one begins with the other: `key` and `keys`. */
function areAlike(asked: string, word: string): boolean {
  return word.startsWith(asked) || (word.length > 2 && asked.startsWith(word))
}

/** How well a candidate has a word of the search; 0 if it does not. */
function weightOf(asked: string, { words, above }: Candidate): number {
  if (words.includes(asked)) return 4
  if (words.some((word) => areAlike(asked, word))) return 3
  return above.some((word) => areAlike(asked, word)) ? 1 : 0
}

/** More are not read. */
const headingsMax = 30

/**
 * The headings with the most words of a search, best first. Words of the headings above count too, but one must be in the
 * heading itself.
 */
export function findHeadings(guides: readonly SearchedGuide[], search: string): readonly FoundHeading[] {
  const asked = [...new Set(wordsOf(search))].filter((word) => word.length > 1)
  const ranked = guides.flatMap(candidatesOf).flatMap((candidate) => {
    const weights = asked.map((word) => weightOf(word, candidate)).filter((weight) => weight > 0)
    const weight = weights.reduce((sum, one) => sum + one, 0)
    return weights.some((one) => one > 1) ? [{ candidate, matched: weights.length, weight }] : []
  })
  const most = Math.max(...ranked.map(({ matched }) => matched))
  return ranked
    .filter(({ matched }) => matched === most)
    .toSorted((a, b) => b.weight - a.weight || a.candidate.words.length - b.candidate.words.length)
    .slice(0, headingsMax)
    .map(({ candidate: { guide, heading } }) => ({ guide, heading }))
}

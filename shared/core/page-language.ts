/** The languages of the pages: the default first. */
export const pageLanguages = ['en', 'de', 'ja'] as const

/** The code of a language of the pages. */
export type PageLanguage = (typeof pageLanguages)[number]

/** Their names, each in itself. */
export const languageNames: Readonly<Record<PageLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  ja: '日本語',
}

/**
 * The request header in which the gateway gives the web application the language of a page. Callers' own values are
 * removed, like every internal header.
 */
export const pageLanguageHeader = 'x-snipkeep-page-language'

/** The cookie with the language that the reader has chosen. */
export const languageCookie = 'lang'

/** What a page in the reader's language depends on, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie'

/** The language of this code; `null` if there is none. */
export function knownLanguage(code: unknown): PageLanguage | null {
  return pageLanguages.find((known) => known === code) ?? null
}

/** A language range with its weight (RFC 9110, section 12.5.4). */
const weightedRange = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/
/** No browser sends more. */
const rangesMax = 50

/** The ranges of an `Accept-Language` header, the most wanted first; what is malformed counts for nothing. */
function rangesOf(header: string): readonly { readonly range: string; readonly weight: number }[] {
  return header
    .toLowerCase()
    .replaceAll(/[ \t]/g, '')
    .split(',', rangesMax)
    .map((item) => weightedRange.exec(item))
    .flatMap((found) => (found === null ? [] : [{ range: found[1] ?? '', weight: Number(found[2] ?? 1) }]))
    .sort((one, other) => other.weight - one.weight)
}

/** A range and what it begins with: `de-CH-1996`, `de-CH`, `de`. */
function prefixesOf(range: string): readonly string[] {
  const subtags = range.split('-')
  return subtags.map((_subtag, index) => subtags.slice(0, subtags.length - index).join('-'))
}

/** The language that an `Accept-Language` header asks for, by lookup (RFC 4647, section 3.4). */
export function acceptedLanguage(header: string): PageLanguage {
  const ranges = rangesOf(header)
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ range }) => range)
  const usable = pageLanguages.filter((code) => !refused.includes(code))
  for (const { range, weight } of ranges) {
    if (weight === 0) continue
    const found = range === '*' ? undefined : usable.find((code) => prefixesOf(range).includes(code))
    if (found !== undefined) return found
  }
  const takesAny = ranges.some(({ range, weight }) => range === '*' && weight > 0)
  return (takesAny ? usable[0] : undefined) ?? pageLanguages[0]
}

/** The language for a request: the one that its reader has chosen, else the one that its browser asks for. */
export function pageLanguageOf(chosen: string, acceptLanguage: string | undefined): PageLanguage {
  return knownLanguage(chosen) ?? acceptedLanguage(acceptLanguage ?? '')
}

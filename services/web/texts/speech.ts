import { AsyncLocalStorage } from 'node:async_hooks'
import { type PageLanguage, pageLanguages } from '#shared/core/page-language.js'
import type { TextName } from './en.js'
import { catalogues } from './languages.js'
import type { Message } from './message.js'

/** What speaks a language. */
export interface Speech {
  readonly language: PageLanguage
  readonly messages: Readonly<Record<TextName, Message>>
  readonly plurals: Intl.PluralRules
  readonly numbers: Intl.NumberFormat
}

function speechIn(language: PageLanguage): Speech {
  return {
    language,
    messages: catalogues[language],
    plurals: new Intl.PluralRules(language),
    numbers: new Intl.NumberFormat(language),
  }
}

const speeches: ReadonlyMap<PageLanguage, Speech> = new Map(
  pageLanguages.map((language) => [language, speechIn(language)]),
)
const english = speechIn('en')

// biome-ignore lint/plugin: it holds nothing itself, and gives each request its own language.
const current = new AsyncLocalStorage<Speech>()

/** Runs what responds to a request, and all that it awaits, in a language. */
export function speaking<Result>(language: PageLanguage, respond: () => Result): Result {
  return current.run(speeches.get(language) ?? english, respond)
}

/** The language of the request. The build of the scripts, which speak one, replaces this module (`used-texts.ts`). */
export const speech: Speech = {
  get language() {
    return (current.getStore() ?? english).language
  },
  get messages() {
    return (current.getStore() ?? english).messages
  },
  get plurals() {
    return (current.getStore() ?? english).plurals
  },
  get numbers() {
    return (current.getStore() ?? english).numbers
  },
}

import { en, type TextName } from './en.js'
import type { Message } from './message.js'

/** What speaks a language. */
export interface Speech {
  readonly language: string
  readonly messages: Readonly<Record<TextName, Message>>
  readonly plurals: Intl.PluralRules
  readonly numbers: Intl.NumberFormat
}

const language = 'en'

/** The language of the page. The build of the scripts replaces this module by one for each language. */
export const speech: Speech = {
  language,
  messages: en,
  plurals: new Intl.PluralRules(language),
  numbers: new Intl.NumberFormat(language),
}

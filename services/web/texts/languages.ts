import type { PageLanguage } from '#shared/core/page-language.js'
import { de } from './de.js'
import { en, type TextName } from './en.js'
import { ja } from './ja.js'
import type { Message } from './message.js'

/** All texts by name, in one language. */
export type Catalogue = Readonly<Record<TextName, Message>>

/** The texts of each language. */
export const catalogues: Readonly<Record<PageLanguage, Catalogue>> = { en, de, ja }

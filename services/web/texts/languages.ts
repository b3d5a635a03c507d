import type { PageLanguage } from '#shared/core/page-language.js'
import { de } from './de.js'
import { type Catalogue, en } from './en.js'
import { ja } from './ja.js'

/** The texts of each language. */
export const catalogues: Readonly<Record<PageLanguage, Catalogue>> = { en, de, ja }

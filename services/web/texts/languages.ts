import { en, type TextName } from './en.js'
import type { Message } from './message.js'

/** All texts by name, in one language. */
export type Catalogue = Readonly<Record<TextName, Message>>

/** The texts of each language. */
export const catalogues = { en } as const satisfies Readonly<Record<string, Catalogue>>

/** The code of a language that the pages speak. */
export type Language = keyof typeof catalogues

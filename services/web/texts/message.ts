/**
 * A text; with `count`, which decides its form, one for each plural category of the language that differs from `other`.
 */
export type Message =
  | string
  | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string })

/** Texts by name. `{name}` in a text is a placeholder. */
export type Messages = Readonly<Record<string, Message>>

/** The same texts in another language: all of them, and no others. */
export type Translation<Source extends Messages> = { readonly [Name in keyof Source]: Message }

/** What another language says of a tool; in English the tool says it itself. */
export interface ToolTranslation {
  readonly name: string
  readonly summary: string
  /** As in `ToolPageText`. */
  readonly title: string
  readonly description: string
}

/** What another language says of the options of tools; in English they say it themselves. */
export interface OptionTexts {
  /** By the name of the option. */
  readonly labels: Readonly<Record<string, string>>
  /** By the English explanation: options of one name may mean different things. */
  readonly meanings: Readonly<Record<string, string>>
}

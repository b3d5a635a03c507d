import type { OptionField } from '#engine/tools/option-fields.js'
import { toolOptions as german } from './de/tool-options.js'
import { toolOptions as japanese } from './ja/tool-options.js'
import type { OptionTexts } from './message.js'
import { speech } from './speech.js'

/** The translations, by language. */
export const optionTranslations: Readonly<Record<string, OptionTexts>> = { de: german, ja: japanese }

/** `final_newline` for people. */
function label(name: string): string {
  const words = name.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** What an option is called, and means. */
export function optionText({ name, description }: OptionField): {
  readonly label: string
  readonly meaning: string
} {
  const translated = optionTranslations[speech.language]
  return {
    label: translated?.labels[name] ?? label(name),
    meaning: translated?.meanings[description] ?? description,
  }
}

import { en } from './en.js'
import type { Message } from './message.js'

/** The key of a message. */
export type TextName = keyof typeof en

/** The values of a message's placeholders. */
export type TextValues = Readonly<Record<string, string | number>>

const language = 'en'
const catalogue: Readonly<Record<TextName, Message>> = en
const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)

function formOf(message: Message, { count }: TextValues): string {
  if (typeof message === 'string') return message
  return plurals.select(Number(count)) === 'one' ? message.one : message.other
}

/** Formats a message. Numbers follow the language's rules, and `count` selects the plural form. */
export function text(name: TextName, values: TextValues = {}): string {
  return formOf(catalogue[name], values).replace(/\{(\w+)\}/g, (_place, key: string) => {
    const value = values[key] ?? ''
    return typeof value === 'number' ? numbers.format(value) : value
  })
}

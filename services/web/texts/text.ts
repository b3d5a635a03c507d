import { en } from './en.js'
import type { Message } from './message.js'

/** The name of a message of the catalogue. */
export type TextName = keyof typeof en

/** What is filled into a message. */
export type TextValues = Readonly<Record<string, string | number>>

const language = 'en'
const catalogue: Readonly<Record<TextName, Message>> = en
const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)

function formOf(message: Message, { count }: TextValues): string {
  if (typeof message === 'string') return message
  return plurals.select(Number(count)) === 'one' ? message.one : message.other
}

/**
 * A message of the catalogue with `values` in the places that it names. Numbers are written as the language does, and
 * `count` decides between one and many.
 */
export function text(name: TextName, values: TextValues = {}): string {
  return formOf(catalogue[name], values).replace(/\{(\w+)\}/g, (_place, key: string) => {
    const value = values[key] ?? ''
    return typeof value === 'number' ? numbers.format(value) : value
  })
}

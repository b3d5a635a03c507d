import { en, type Message } from './en.js'

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

/** The message of a name that ends with a word of the API; `null` for what a newer server may say. */
export function knownText(name: string, values?: TextValues): string | null {
  return Object.hasOwn(catalogue, name) ? text(name as TextName, values) : null
}

/** The units of durations. */
const units = [
  [86_400_000, 'time.days'],
  [3_600_000, 'time.hours'],
  [60_000, 'time.minutes'],
] as const

/** Formats a duration, such as `29 days`. */
export function readableDuration(ms: number): string {
  const [size, name] = units.find(([unit]) => ms >= unit) ?? ([1_000, 'time.seconds'] as const)
  return text(name, { count: Math.max(1, Math.floor(ms / size)) })
}

/** How long ago a time was, as of `now`. */
export function ago(at: Date, now: Date): string {
  return text('time.ago', { time: readableDuration(now.getTime() - at.getTime()) })
}

/** Formats a time, such as `2030-01-31 12:00 UTC`. */
export function readableMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

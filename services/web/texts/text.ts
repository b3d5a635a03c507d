import { sizeInUnit } from '#libs/core/readable-text.js'
import type { TextName } from './en.js'
import type { Message } from './message.js'
import { speech } from './speech.js'

export type { TextName }

/** The values of a message's placeholders. */
export type TextValues = Readonly<Record<string, string | number>>

function formOf(message: Message, { count }: TextValues): string {
  return typeof message === 'string'
    ? message
    : (message[speech.plurals.select(Number(count))] ?? message.other)
}

/** Formats a message. Numbers follow the language's rules, and `count` selects the plural form. */
export function text(name: TextName, values: TextValues = {}): string {
  return formOf(speech.messages[name], values).replace(/\{(\w+)\}/g, (_place, key: string) => {
    const value = values[key] ?? ''
    return typeof value === 'number' ? speech.numbers.format(value) : value
  })
}

/** The message of a name that ends with a word of the API; `null` for what a newer server may say. */
export function knownText(name: string, values?: TextValues): string | null {
  return Object.hasOwn(speech.messages, name) ? text(name as TextName, values) : null
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

/** A size for people, such as `1.4 MB`. */
export function readableSize(bytes: number): string {
  const [count, unit] = sizeInUnit(bytes)
  return unit === null ? text('size.bytes', { count }) : `${speech.numbers.format(count)} ${unit}`
}

/**
 * Formats a time, such as `2030-01-31 12:00 UTC`; in English by ISO 8601, since English has no one order of day and
 * month.
 */
export function readableMoment(moment: Date): string {
  if (speech.language === 'en') return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const format = new Intl.DateTimeFormat(speech.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return `${format.format(moment)} UTC`
}

import type { FieldError } from './domain-error.js'

/** Control characters and lone surrogates, which names must not contain. */
export const unprintable = /[\p{Cc}\p{Cs}]/u
/** The identifier of a tool. */
export const toolPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The problem of a text that must have 1 to `max` characters (code points), all printable. */
export function textErrors(pointer: string, text: string, max: number): FieldError[] {
  const name = pointer.slice(1)
  const errors: FieldError[] = []
  if (text.trim() === '') errors.push({ pointer, code: 'too_short', detail: `${name} must not be empty.` })
  if ([...text].length > max) {
    errors.push({ pointer, code: 'too_long', detail: `${name} must be at most ${max} characters.` })
  }
  if (unprintable.test(text)) {
    const detail = `${name} must not contain control characters or lone surrogates.`
    errors.push({ pointer, code: 'invalid_characters', detail })
  }
  return errors
}

/** The problem of a tool identifier. */
export function toolErrors(tool: string): FieldError[] {
  if (toolPattern.test(tool)) return []
  const detail = 'tool must be 1 to 64 characters from A-Z a-z 0-9 . _ - and start with a letter or digit.'
  return [{ pointer: '/tool', code: 'invalid_format', detail }]
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** The first day that databases support: there was no year 0. */
export const firstDate = '0001-01-01'

/** Whether a text is a calendar day as YYYY-MM-DD, from the year 1. */
export function isDate(text: string): boolean {
  const time = datePattern.test(text) && text >= firstDate ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // JavaScript reads 2026-02-30 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

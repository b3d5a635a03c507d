import { relativeTime as relativeTimeIn } from '#libs/core/relative-time.js'
import { speech } from '../../../texts/speech.js'
import { text } from '../../../texts/text.js'

const words = new Intl.RelativeTimeFormat(speech.language, { numeric: 'auto' })

/** Formats a relative time, such as `3 hours ago`, in the language of the page. */
export function relativeTime(momentMs: number, nowMs: number): string {
  return relativeTimeIn(momentMs, nowMs, words)
}

/** Describes when something expires or has expired. */
export function formatExpiry(expiresAt: string | null, nowMs: number): string {
  if (expiresAt === null) return text('expiry.never')
  const endMs = Date.parse(expiresAt)
  const name = endMs <= nowMs ? 'expiry.hasExpired' : 'expiry.expires'
  return text(name, { when: relativeTime(endMs, nowMs) })
}

const days = new Intl.DateTimeFormat(speech.language, { dateStyle: 'long' })

/** Formats a day in the reader's locale and time zone, such as `January 31, 2030`. */
export function dayOf(at: string): string {
  return days.format(new Date(at))
}

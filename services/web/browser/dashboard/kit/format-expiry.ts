import { text } from '../../../texts/text.js'
import { relativeTime } from './relative-time.js'

/** Describes when something expires or has expired. */
export function formatExpiry(expiresAt: string | null, nowMs: number): string {
  if (expiresAt === null) return text('expiry.never')
  const endMs = Date.parse(expiresAt)
  const name = endMs <= nowMs ? 'expiry.hasExpired' : 'expiry.expires'
  return text(name, { when: relativeTime(endMs, nowMs) })
}

import { text } from '../../../texts/text.js'
import type { Choice } from '../kit/select.js'

const day = 86_400
const lifetimes = [3_600, day, 7 * day, 30 * day, 90 * day, 365 * day] as const

/** The choice that means as long as the plan allows. */
export const longest = 'longest'

function label(seconds: number): string {
  return seconds < day
    ? text('snippets.hours', { count: seconds / 3_600 })
    : text('snippets.days', { count: seconds / day })
}

/** The lifetimes below so many seconds that are offered. */
export function lifetimesBelow(mostSeconds: number): readonly Choice<string>[] {
  const shorter = lifetimes.filter((seconds) => seconds < mostSeconds)
  return shorter.map((seconds) => ({ id: String(seconds), label: label(seconds) }))
}

/** The lifetimes to choose from, given the plan's maximum in days; `null` is unlimited. */
export function expiryChoices(ttlDays: number | null): readonly Choice<string>[] {
  if (ttlDays === null)
    return [...lifetimesBelow(Number.POSITIVE_INFINITY), { id: longest, label: text('snippets.never') }]
  const end = text('snippets.longest', { after: label(ttlDays * day) })
  return [...lifetimesBelow(ttlDays * day), { id: longest, label: end }]
}

/** When a share created now with this choice expires; `null` for never. */
export function endOf(choice: string, ttlDays: number | null, nowMs: number): Date | null {
  const seconds = choice !== longest ? Number(choice) : ttlDays === null ? null : ttlDays * day
  return seconds === null ? null : new Date(nowMs + seconds * 1_000)
}

/** The request field for a choice; `undefined` means as long as the plan allows. */
export function expiryField(choice: string): { readonly expiresIn?: number } {
  return choice === longest ? {} : { expiresIn: Number(choice) }
}

/** What a form puts before a new share. */
export interface GateFields {
  /** Empty for none. */
  readonly password: string
  /** A choice of `viewChoices`. */
  readonly views: string
}

const anyNumber = 'any'
const viewCounts = [1, 2, 5, 10, 100]

/** Without a gate. */
export const noGate: GateFields = { password: '', views: anyNumber }

/** How often a share may be opened. */
export function viewChoices(): readonly Choice<string>[] {
  return [
    { id: anyNumber, label: text('gates.anyNumber') },
    ...viewCounts.map((count) => ({ id: String(count), label: text('gates.times', { count }) })),
  ]
}

/** The request fields for a gate. */
export function gateFields({ password, views }: GateFields): {
  readonly password?: string
  readonly maxViews?: number
} {
  const given = password.trim()
  return {
    ...(given === '' ? {} : { password: given }),
    ...(views === anyNumber ? {} : { maxViews: Number(views) }),
  }
}

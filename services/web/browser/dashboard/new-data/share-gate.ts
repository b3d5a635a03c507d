import { text } from '../../../texts/text.js'
import type { Choice } from '../kit/select.js'

/** What a form puts before a new share. */
export interface GateFields {
  /** Empty for none. */
  readonly password: string
  /** A choice of `viewChoices`. */
  readonly views: string
}

const anyNumber = 'any'
const offered = [1, 2, 5, 10, 100]

/** Without a gate. */
export const noGate: GateFields = { password: '', views: anyNumber }

/** How often a share may be opened. */
export function viewChoices(): readonly Choice<string>[] {
  return [
    { id: anyNumber, label: text('gates.anyNumber') },
    ...offered.map((count) => ({ id: String(count), label: text('gates.times', { count }) })),
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

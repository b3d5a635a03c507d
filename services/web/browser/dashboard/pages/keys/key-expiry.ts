const daySeconds = 86_400

/** The lifetimes to choose from, in days. */
export const offeredDays = [7, 30, 90, 365] as const

/** When a new key expires: after this many days, never, or on a chosen date. */
export type ExpiryChoice = `${(typeof offeredDays)[number]}` | 'never' | 'date'

/**
 * The moment after the end of a day such as `2030-01-31` in the reader's time zone; `null` if it is not a
 * date.
 */
function endOf(date: string): number | null {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const next = new Date(year, month - 1, day + 1).getTime()
  return date === '' || Number.isNaN(next) ? null : next
}

/** The request field for a choice; `null` if the chosen date has passed. */
export function keyExpiry(
  choice: ExpiryChoice,
  lastDay: string,
  nowMs: number,
): { readonly expires_in?: number } | null {
  if (choice === 'never') return {}
  if (choice !== 'date') return { expires_in: Number(choice) * daySeconds }
  const end = endOf(lastDay)
  if (end === null || end <= nowMs) return null
  return { expires_in: Math.max(60, Math.floor((end - nowMs) / 1_000)) }
}

const daySeconds = 86_400

/** The days after which a key may end. */
export const offeredDays = [7, 30, 90, 365] as const

/** When a new key ends: after so many days, never, or with a day that someone names. */
export type ExpiryChoice = `${(typeof offeredDays)[number]}` | 'never' | 'date'

/** The first moment after a day such as `2030-01-31`, where the reader is; `null` when it is no such day. */
function endOf(date: string): number | null {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const next = new Date(year, month - 1, day + 1).getTime()
  return date === '' || Number.isNaN(next) ? null : next
}

/** The field of a request for a choice, with the last day where one was named; `null` when that day is over. */
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

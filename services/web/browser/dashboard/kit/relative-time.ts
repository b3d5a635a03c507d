const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a relative time, such as `3 hours ago` or `in 29 days`. */
export function relativeTime(momentMs: number, nowMs: number): string {
  const distance = momentMs - nowMs
  for (const [unit, size] of units) {
    if (Math.abs(distance) >= size) return words.format(Math.trunc(distance / size), unit)
  }
  return words.format(0, 'second')
}

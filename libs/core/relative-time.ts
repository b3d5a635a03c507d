/** Each unit, and from how many of them on it is used: months are too coarse for what ends in 90 days. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ['year', 31_536_000_000, 1],
  ['month', 2_592_000_000, 4],
  ['day', 86_400_000, 1],
  ['hour', 3_600_000, 1],
  ['minute', 60_000, 1],
]

const english = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a relative time, such as `3 hours ago` or `in 29 days`, in English or with the words of another language. */
export function relativeTime(momentMs: number, nowMs: number, words = english): string {
  const distance = momentMs - nowMs
  for (const [unit, size, least] of units) {
    if (Math.abs(distance) >= least * size) return words.format(Math.trunc(distance / size), unit)
  }
  return words.format(0, 'second')
}

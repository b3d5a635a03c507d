const dayMs = 86_400_000

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The time zone of a moment, such as `UTC+1` or `UTC-3:30`. */
function zoneOf(moment: Date): string {
  const minutes = -moment.getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`
}

/** When something ends: the local day, and within two days also the time and the time zone. */
export function readableEnd(end: Date, now: Date): string {
  const day = `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`
  if (end.getTime() - now.getTime() >= 2 * dayMs) return day
  return `${day} ${two(end.getHours())}:${two(end.getMinutes())} (${zoneOf(end)})`
}

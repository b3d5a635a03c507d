import { formatExpiry } from './format-expiry.js'
import { relativeTime } from './relative-time.js'

const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })

/** A moment to the minute, as the clock of the reader has it. */
export function exactMoment(at: Date): string {
  return format.format(at)
}

/** How far a moment is from now; which one it is can be seen by pointing at it. */
export function Moment({ at }: { at: string }) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exactMoment(moment)}>
      {relativeTime(moment.getTime(), Date.now())}
    </time>
  )
}

/** When something ends or has ended; the moment itself can be seen by pointing at it. */
export function Expiry({ at }: { at: string | null }) {
  const now = Date.now()
  const words = formatExpiry(at, now)
  if (at === null) return words
  return (
    <time dateTime={at} title={exactMoment(new Date(at))} className={Date.parse(at) <= now ? 'row-over' : ''}>
      {words}
    </time>
  )
}

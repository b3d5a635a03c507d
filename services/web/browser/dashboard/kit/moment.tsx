import { speech } from '../../../texts/speech.js'
import { formatExpiry, relativeTime } from './relative-time.js'

const format = new Intl.DateTimeFormat(speech.language, { dateStyle: 'long', timeStyle: 'short' })

/** A date and time to the minute, in the reader's time zone. */
export function exactMoment(at: Date): string {
  return format.format(at)
}

/** A relative time; its tooltip shows the exact one. */
export function Moment({ at }: { at: string }) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exactMoment(moment)}>
      {relativeTime(moment.getTime(), Date.now())}
    </time>
  )
}

/** When something expires or has expired; its tooltip shows the exact time. */
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

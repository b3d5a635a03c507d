import { relativeTime } from './relative-time.js'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })

/** How far a moment is from now; which one it is can be seen by pointing at it. */
export function Moment({ at }: { at: string }) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)}>
      {relativeTime(moment.getTime(), Date.now())}
    </time>
  )
}

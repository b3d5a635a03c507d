/** Says the exact times in the reader's zone, which the server does not know. */
export function showLocalTimes(within: ParentNode): void {
  const format = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[title]'))
    time.title = format.format(new Date(time.dateTime))
}

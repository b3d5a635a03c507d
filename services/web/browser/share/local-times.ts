/** Says the exact times in the reader's zone, which the server does not know. */
export function showLocalTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[title]'))
    time.title = String(new Date(time.dateTime))
}

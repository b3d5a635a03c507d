const days = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** A day as people write it, such as `January 31, 2030`, where the reader is. */
export function dayOf(at: string): string {
  return days.format(new Date(at))
}

const days = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** Formats a day in the reader's locale and time zone, such as `January 31, 2030`. */
export function dayOf(at: string): string {
  return days.format(new Date(at))
}

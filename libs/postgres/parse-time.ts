import pg from 'pg'

const timestamptz = 1184
const parseAnyTime = pg.types.getTypeParser(timestamptz, 'text')
const zone = '+00'

/**
 * A `timestamptz` as sessions in UTC write it, to the millisecond. The engine reads ISO 8601 three times as fast as the
 * driver's expression does, of which lists had each answer wait for forty; what is not of that form is left to it.
 */
export function parseTime(text: string): Date | number | null {
  if (text.endsWith(zone) && text[10] === ' ') {
    const time = new Date(`${text.slice(0, 10)}T${text.slice(11, -zone.length)}Z`)
    if (!Number.isNaN(time.getTime())) return time
  }
  return parseAnyTime(text)
}

/** The parsers of values for a pool whose sessions are in UTC. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === timestamptz && format !== 'binary' ? parseTime : pg.types.getTypeParser(oid, format),
}

import fc from 'fast-check'
import pg from 'pg'
import { expect, it } from 'vitest'
import { parseTime } from './pool.js'

const parseAnyTime = pg.types.getTypeParser(1184, 'text')

/** As Postgres prints it: without trailing zeros of the fraction. */
function written(time: Date, micros: number): string {
  const [date = '', clock = ''] = time.toISOString().split('T')
  const fraction = `${clock.slice(9, 12)}${String(micros).padStart(3, '0')}`.replace(/0+$/, '')
  return `${date} ${clock.slice(0, 8)}${fraction === '' ? '' : `.${fraction}`}+00`
}

it('parses every time as the driver does', () => {
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 999 }), (time, micros) => {
      expect(parseTime(written(time, micros))).toEqual(time)
      expect(parseTime(written(time, micros))).toEqual(parseAnyTime(written(time, micros)))
    }),
  )
})

it('leaves other formats to the driver', () => {
  for (const text of [
    'infinity',
    '-infinity',
    '2026-01-02 03:04:05+05:30',
    '0044-03-15 12:00:00+00 BC',
    '20260-01-02 03:04:05+00',
  ]) {
    expect(parseTime(text)).toEqual(parseAnyTime(text))
  }
})

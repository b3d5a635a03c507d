import { afterEach, beforeEach, expect, it } from 'vitest'
import { readableEnd } from './share-command.js'

const now = new Date('2030-01-31T20:00:00Z')
let zone: string | undefined

beforeEach(() => {
  zone = process.env.TZ
})
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it.each([
  ['Europe/Berlin', '2030-01-31T21:00:00Z', '2030-01-31 22:00 (UTC+1)'],
  ['Europe/Berlin', '2030-01-31T23:30:00Z', '2030-02-01 00:30 (UTC+1)'],
  ['America/St_Johns', '2030-01-31T21:05:00Z', '2030-01-31 17:35 (UTC-3:30)'],
  ['UTC', '2030-02-02T19:59:59Z', '2030-02-02 19:59 (UTC)'],
  ['UTC', '2030-02-02T20:00:00Z', '2030-02-02 (in 2 days)'],
  ['Europe/Berlin', '2030-03-01T23:30:00Z', '2030-03-02 (in 29 days)'],
  ['UTC', '2030-03-02T19:59:59Z', '2030-03-02 (in 30 days)'],
  ['UTC', '2030-05-31T19:59:59Z', '2030-05-31 (in 120 days)'],
  ['UTC', '2030-05-31T20:00:00Z', '2030-05-31'],
])('in %s what ends at %s ends at %s', (timeZone, end, words) => {
  process.env.TZ = timeZone
  expect(readableEnd(new Date(end), now)).toBe(words)
})

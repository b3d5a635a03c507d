import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namedIn } from '../browser/build/used-texts.js'
import { en } from './en.js'
import type { Message } from './message.js'
import { readableDuration, text } from './text.js'

it('a message has its values filled in, with localised numbers', () => {
  expect(text('loading.progress', { received: '1.5 MB', total: 12_345 })).toBe('1.5 MB of 12,345')
})

it('values are never parsed as messages', () => {
  expect(text('loading.progress', { received: '{total}', total: '$&' })).toBe('{total} of $&')
})

it('both forms of a counted message name the same values', () => {
  const placesOf = (form: string): readonly string[] => [...form.matchAll(/\{\w+\}/g)].map(String).sort()
  const messages: readonly Message[] = Object.values(en)
  const counted = messages.filter((message) => typeof message !== 'string')
  for (const { one = '', other } of counted)
    expect(placesOf(other).filter((place) => place !== '{count}')).toEqual(
      placesOf(one).filter((place) => place !== '{count}'),
    )
})

it('future times use the largest complete unit', () => {
  expect([500, 59_999, 60_000, 7_200_000, 86_400_000, 30 * 86_400_000 - 1].map(readableDuration)).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
    '29 days',
  ])
})

it('every message is shown somewhere', () => {
  const web = join(import.meta.dirname, '..')
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|texts\/[a-z]{2}[./]/.test(path),
  )
  const isNamed = namedIn(sources.map((path) => readFileSync(join(web, path), 'utf8')).join('\n'))
  expect(Object.keys(en).filter((name) => !isNamed(name))).toEqual([])
})

import { expect, it } from 'vitest'
import { type DeepLink, formatDeepLink, parseDeepLink } from './deep-link.js'

const places: readonly (readonly [string, DeepLink])[] = [
  ['/items/42/price', { kind: 'pointer', pointer: '/items/42/price' }],
  ['/a%20b/%C3%A9', { kind: 'pointer', pointer: '/a b/é' }],
  ['/m~0n/a~1b', { kind: 'pointer', pointer: '/m~0n/a~1b' }],
  ['/100%25/%23', { kind: 'pointer', pointer: '/100%/#' }],
  ['/', { kind: 'pointer', pointer: '/' }],
  ['cell=43,3', { kind: 'cell', row: 43, column: 3 }],
  ['L42', { kind: 'line', line: 42 }],
  ['sent-L42', { kind: 'line', line: 42, form: 'sent' }],
  ['L4-L9', { kind: 'line', line: 4, end: 9 }],
  ['sent-L4-L9', { kind: 'line', line: 4, end: 9, form: 'sent' }],
]

it.each(places)('#%s names a place, and the place has that fragment', (fragment, place) => {
  expect(parseDeepLink(fragment)).toEqual(place)
  expect(formatDeepLink(place)).toBe(fragment)
})

it.each([
  '',
  'top',
  '/a~2',
  '/%zz',
  'L0',
  'Lx',
  'sent-L0',
  'sent-',
  'cell=0,1',
  'cell=1',
  'cell=1,1-2,2',
  'L9999999999',
  'L4-9',
  'L4-L0',
])('#%s names none', (fragment) => {
  expect(parseDeepLink(fragment)).toBeNull()
})

it.each([
  ['L3@/output', { kind: 'line', line: 3, part: '/output' }],
  ['L3-L5@/output', { kind: 'line', line: 3, end: 5, part: '/output' }],
  ['source-L3@/a~1b%20c', { kind: 'line', line: 3, form: 'source', part: '/a~1b c' }],
  ['cell=2,3@/csv', { kind: 'cell', row: 2, column: 3, part: '/csv' }],
] as const)('%s names its part', (fragment, place) => {
  expect(parseDeepLink(fragment)).toEqual(place)
  expect(formatDeepLink(place)).toBe(fragment)
})

it.each(['L3@output', 'L3@/a~2', 'cell=1,1@%', 'other-L3'])('%s names no place', (fragment) => {
  expect(parseDeepLink(fragment)).toBeNull()
})

it.each([
  ['L9-L4', { kind: 'line', line: 4, end: 9 }],
  ['L4-L4', { kind: 'line', line: 4 }],
] as const)('%s names the lines between both', (fragment, place) => {
  expect(parseDeepLink(fragment)).toEqual(place)
})

import { expect, it } from 'vitest'
import { readableSize, visibleMarks } from './readable-text.js'

it('direction marks are shown as visible characters', () => {
  expect(visibleMarks('exe.\u202egnp\u2066 \u061c')).toBe('exe.[U+202E]gnp[U+2066] [U+061C]')
})

it('sizes have the unit that fits', () => {
  expect([0, 1, 1_023, 1_024, 1_536, 1_048_576, 52_428_800, 1_073_741_824].map(readableSize)).toEqual([
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '50 MB',
    '1 GB',
  ])
})

it('a size over a limit never reads as the limit', () => expect(readableSize(5_242_881)).toBe('5.1 MB'))

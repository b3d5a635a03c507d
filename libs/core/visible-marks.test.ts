import { expect, it } from 'vitest'
import { visibleMarks } from './visible-marks.js'

it('marks that turn the direction of text are shown as what they are', () => {
  expect(visibleMarks('exe.\u202egnp\u2066 \u061c')).toBe('exe.[U+202E]gnp[U+2066] [U+061C]')
})

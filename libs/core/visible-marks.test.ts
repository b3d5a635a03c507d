import { expect, it } from 'vitest'
import { visibleMarks } from './visible-marks.js'

it('direction marks are shown as visible characters', () => {
  expect(visibleMarks('exe.\u202egnp\u2066 \u061c')).toBe('exe.[U+202E]gnp[U+2066] [U+061C]')
})

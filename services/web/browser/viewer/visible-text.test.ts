import { expect, it } from 'vitest'
import { quotedText, rowText } from './visible-text.js'

it('a direction mark is shown as a visible character', () => {
  expect(rowText('a\u202eb')).toBe('a[U+202E]b')
  expect(quotedText('a\u061cb')).toBe('"a[U+061C]b"')
})

it('a text with line breaks stays in its row', () => {
  expect(rowText('a\r\nb\nc\td\u2028e')).toBe('a↵b↵c⇥d↵e')
  expect(quotedText('a\nb\u2028\u0000')).toBe('"a\\nb\\u2028\\u0000"')
})

it('a lone surrogate is visible, and a long text is cut', () => {
  expect(quotedText('\ud800')).toBe('"\\ud800"')
  expect(rowText('\ud800')).toBe('\ufffd')
  expect(rowText('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`)
})

import { expect, it } from 'vitest'
import { copiedMax } from './clipboard.js'
import { copiedLines } from './copied-lines.js'

/** A document of lines that are shown up to a length. */
function documentOf(lineOf: (line: number) => string, shownMax: number) {
  const asked: number[] = []
  const lines = async (_form: string, from: number, count: number) => {
    asked.push(count)
    return Array.from({ length: count }, (_, index) => {
      const text = lineOf(from + index)
      return { text: text.slice(0, shownMax), cutLength: Math.max(0, text.length - shownMax) }
    })
  }
  return { asked, reader: { lines, wholeText: async () => [0, 1, 2, 3].map(lineOf).join('\r\n') } }
}

it('lines are copied as they are shown', async () => {
  const { reader } = documentOf((line) => `line ${line}`, 100)
  expect(await copiedLines(reader, 'shown', 1, 3)).toBe('line 1\nline 2\nline 3')
})

it('lines that are cut off are copied in full', async () => {
  const { reader } = documentOf((line) => `line ${line}`, 3)
  expect(await copiedLines(reader, 'shown', 1, 2)).toBe('line 1\nline 2')
})

it('of a range that is too much for the clipboard no more is read than shows that', async () => {
  const { reader, asked } = documentOf(() => 'x'.repeat(999), 2_000)
  expect(await copiedLines(reader, 'shown', 0, 90_000_000 - 1)).toBeNull()
  expect(asked.reduce((sum, count) => sum + count) * 1_000).toBeLessThan(3 * copiedMax)
})

it('a line that is too much for the clipboard is not read in full', async () => {
  const whole = { asked: false }
  const reader = {
    lines: async () => [{ text: 'x', cutLength: copiedMax }],
    wholeText: async () => {
      whole.asked = true
      return ''
    },
  }
  expect(await copiedLines(reader, 'shown', 0, 0)).toBeNull()
  expect(whole.asked).toBe(false)
})

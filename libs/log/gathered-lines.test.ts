import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gatherLines } from './gathered-lines.js'

let written: string[]
const open = () => gatherLines({ write: (text) => written.push(text) })

beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('lines come together and in order, after a moment', () => {
  const lines = open()
  lines.write('one\n')
  lines.write('two\n')
  expect(written).toEqual([])
  vi.advanceTimersByTime(5)
  lines.write('three\n')
  vi.advanceTimersByTime(5)
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
  vi.advanceTimersByTime(100)
  expect(written).toHaveLength(2)
})

it('lines that are many do not wait, and none is lost at the end', () => {
  const lines = open()
  const line = `${'x'.repeat(999)}\n`
  for (let n = 0; n < 100; n += 1) lines.write(line)
  expect(written).toHaveLength(1)
  lines.flush()
  lines.flush()
  expect(written.join('')).toBe(line.repeat(100))
})

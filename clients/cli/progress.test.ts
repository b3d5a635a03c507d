import { setFlagsFromString } from 'node:v8'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectEarly } from './frugal-transfer.js'
import { showWork } from './progress.js'
import type { Terminal } from './terminal.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** What is written while work reports its progress, a second passing before each time. */
function writtenWhile(isTTY: boolean, shares: readonly number[]): readonly string[] {
  const written: string[] = []
  const stderr = { isTTY, columns: 80, write: (text: string) => written.push(text) }
  const result = showWork({ stderr } as unknown as Terminal, 'Comparing', false, (onProgress) => {
    for (const share of shares) {
      vi.advanceTimersByTime(1_000)
      onProgress(share)
      onProgress(share)
    }
    return 'done'
  })
  expect(result).toBe('done')
  return written
}

it('work of more than a second is shown on a terminal, and gone when it ends', () => {
  const [first, second, last, ...rest] = writtenWhile(true, [0.25, 0.5])
  expect(first).toContain('Comparing [######..................]  25%')
  expect(second).toContain(' 50%')
  expect([last, rest]).toEqual(['\r\u001b[2K', []])
})

it('work is not shown where no one looks', () => expect(writtenWhile(false, [0.5])).toEqual([]))

it('work is compiled by the optimizing compiler, though documents were transferred frugally before', () => {
  setFlagsFromString('--allow-natives-syntax')
  // Of the bits that V8 tells, this one is set for optimized code.
  const isOptimized = (hot: unknown): boolean => (statusOf(hot) & 16) !== 0
  const statusOf = new Function('hot', 'return %GetOptimizationStatus(hot)')
  const hot = new Function(
    'let sum = 0; for (let at = 0; at < 1e5; at += 1) sum = (sum * 31 + at) | 0; return sum',
  )
  const becomesHot = (): boolean => {
    for (let run = 0; run < 2_000 && !isOptimized(hot); run += 1) hot()
    return isOptimized(hot)
  }
  collectEarly()
  const terminal = { stderr: { isTTY: false } } as unknown as Terminal
  expect(showWork(terminal, 'Comparing', true, becomesHot)).toBe(true)
})

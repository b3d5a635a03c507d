import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showWork } from './progress.js'
import type { Terminal } from './terminal.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** What is written while work tells how far it has come, a second passing before each time. */
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

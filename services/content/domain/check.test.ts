import { expect, it } from 'vitest'
import { checkDraft } from '../testing/checked-snippet.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { draftCheck } from './check.js'
import { snippetId } from './ids.js'

const breakOf = (text: string) => ({ pointer: '', rule: 'value', baseline: text, candidate: '1e400' })
const many = (length: number, text: string) => Array.from({ length }, () => breakOf(text))

/** What a check keeps of these breaks. */
function kept(breaks: readonly unknown[]) {
  const judgement = { breaks: JSON.stringify(breaks) }
  const draft = checkDraft(memoryFixture(), snippetId('s'), { judgement })
  const { breaks: text, truncated } = draftCheck(draft).judgement
  return { text, truncated }
}

it('a check keeps a hundred breaks and 64 KiB of them at most', () => {
  const all = JSON.stringify(many(100, '1'))
  expect(kept(many(100, '1'))).toEqual({ text: all, truncated: false })
  expect(kept(many(101, '1'))).toEqual({ text: all, truncated: true })
  const large = kept(many(100, 'ü'.repeat(1_000)))
  expect([large.truncated, JSON.parse(large.text).length]).toEqual([true, 31])
  const length = 65_536 - JSON.stringify(many(1, '')).length
  expect(kept(many(1, '1'.repeat(length))).truncated).toBe(false)
  expect(kept(many(1, '1'.repeat(length + 1)))).toEqual({ text: '', truncated: true })
})

it('a break that is too large to keep leaves room for those after it', () => {
  const [first, large, second, third] = ['1', 'ü'.repeat(33_000), '2', '3'].map(breakOf)
  const text = JSON.stringify([first, second, third])
  expect(kept([first, large, second, third])).toEqual({ text, truncated: true })
})

it('a check without breaks keeps no text', () => {
  expect(kept([])).toEqual({ text: '', truncated: false })
})

import { expect, it } from 'vitest'
import {
  countWords,
  decisionWords,
  isKept,
  jobLink,
  markWords,
  stateWord,
  verdictWords,
} from './check-words.js'

it('a verdict and a state are words, and those of a newer server are shown as they are', () => {
  expect(verdictWords({ verdict: 'breaks' })).toBe('Breaks the contract')
  expect(stateWord({ state: 'accepted' })).toBe('accepted')
  expect(verdictWords({ verdict: 'odd' as 'same' })).toBe('odd')
  expect(stateWord({ state: 'parked' as 'pending' })).toBe('parked')
})

it('only what there is is counted', () => {
  expect(countWords({ counts: { breaks: 1, allowed: 12 } })).toEqual(['1 break', '12 allowed changes'])
  expect(countWords({ counts: { breaks: 0, allowed: 0 } })).toEqual([])
})

it('a job is linked by its address, with its query out of sight', () => {
  expect(jobLink('https://ci.example/acme/site/runs/7?token=x')).toEqual({
    href: 'https://ci.example/acme/site/runs/7?token=x',
    name: 'ci.example/acme/site/runs/7',
  })
})

it.each([
  null,
  '',
  'javascript:alert(1)',
  'data:text/html,x',
  '//ci.example',
  'https://',
  'ftp://ci.example/',
])('nothing leads to %j', (source) => {
  expect(jobLink(source)).toBeNull()
})

it('a candidate is gone once it is rejected or has expired', () => {
  const states = ['pending', 'accepted', 'approved', 'rejected', 'expired'] as const
  expect(states.filter((state) => isKept({ state }))).toEqual(['pending', 'accepted', 'approved'])
})

it('what a decision does names the snippet, and says of the first output that there is none yet', () => {
  const check = { title: 'Prices', name: 'prices' }
  expect(decisionWords({ ...check, verdict: 'breaks' }, 'approve')).toContain(
    'the current version of “@prices”',
  )
  expect(decisionWords({ ...check, name: null, verdict: 'breaks' }, 'reject')).toBe(
    'It is deleted, and “Prices” stays as it is.',
  )
  expect(decisionWords({ ...check, verdict: 'new' }, 'approve')).toContain(
    'the first version of a new snippet, “@prices”',
  )
  expect(decisionWords({ ...check, verdict: 'new' }, 'reject')).toBe(
    'It is deleted. There is still no snippet “@prices”.',
  )
})

it('marks are said to be where they are, and nothing about what has none', () => {
  const marked = 'The contract does not allow what is marked “breaks”.'
  const lines = 'Nothing is marked in the lines under “Differences”.'
  expect(['json', 'csv', 'ndjson', 'text'].map((as) => markWords({ as }))).toEqual([
    `${marked} ${lines}`,
    `${marked} ${lines}`,
    marked,
    marked,
  ])
})

import { expect, it } from 'vitest'
import { countWords, isKept, jobLink, stateWord, verdictWords } from './check-words.js'

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

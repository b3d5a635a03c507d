import { expect, it } from 'vitest'
import { makerWords } from './revision-list.js'

it.each([
  [null, 'by an unknown caller'],
  [{ kind: 'owner', id: null, label: null }, 'by you'],
  [{ kind: 'api_key', id: 'k', label: 'nightly' }, 'with the API key “nightly”'],
  [{ kind: 'api_key', id: 'k', label: null }, 'with the API key'],
  [{ kind: 'ci_job', id: 'tp_1', label: 'releases' }, 'by a CI job of “releases”'],
  [{ kind: 'ci_job', id: 'tp_1', label: null }, 'by a CI job'],
  [{ kind: 'robot', id: 'r', label: null }, 'robot'],
])('the maker %j is shown as %s', (principal, words) => {
  expect(makerWords({ principal })).toBe(words)
})

import { expect, test } from 'vitest'
import { withCliClient } from './issuer-variables.js'

const issuers = [
  { issuer: 'https://id.example', audience: 'web' },
  { issuer: 'https://other.example', audience: 'other' },
]

test('tokens of the command line’s client are accepted only from the first issuer', () => {
  expect(withCliClient(issuers, 'cli')).toEqual([
    ...issuers,
    { issuer: 'https://id.example', audience: 'cli' },
  ])
  expect(withCliClient(issuers, null)).toBe(issuers)
  expect(withCliClient([], 'cli')).toEqual([])
})

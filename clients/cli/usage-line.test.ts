import { expect, it } from 'vitest'
import { usageLine } from './usage-line.js'

it.each([
  ['stored_bytes', 1_130_265, 107_374_182_400, '1.1 MB of 100 GB stored'],
  ['stored_bytes', 1_130_265, null, '1.1 MB stored, no limit'],
  ['snippets', 400, null, '400 snippets, no limit'],
  ['snippets', 1, null, '1 snippet, no limit'],
  ['history', 1_200, 10_000, '1,200 of 10,000 history entries'],
  ['api_keys', 0, 1, '0 of 1 API key'],
  ['trusted_publishers', 1, 20, '1 of 20 trusted publishers'],
  ['new_things', 3, 5, '3 of 5 new things'],
  ['new_bytes', 3, undefined, '3 bytes new, no limit'],
])('%s: %i of %s is %s', (name, used, limit, words) => {
  expect(usageLine(name, used, limit)).toBe(`${words}\n`)
})

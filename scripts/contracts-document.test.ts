import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { judge } from '#engine/contract/judge.js'
import { parseContract } from '#engine/contract/parse-rules.js'

const page = readFileSync('docs/contracts.md', 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| `(.+?)` \| `(.+?)` \| `(.+?)` \| `(.+?)` \|$/gm)]
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it('the example of docs/contracts.md has every rule, and the table a row for each', () => {
  const [, example = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  parseContract(bytes(example))
  expect(rows.map(([, rule]) => rule).sort()).toEqual(Object.keys(JSON.parse(example)).sort())
})

it.each(rows.map(([, ...row]) => row))('the example of %s is judged as the page says', (...row) => {
  const [rule = '', contract = '', baseline = '', allowed = '', breaks = ''] = row
  expect(JSON.parse(contract)).toHaveProperty(rule)
  const verdict = (candidate: string) =>
    judge(bytes(baseline), bytes(candidate), parseContract(bytes(contract)), {}).verdict
  expect([baseline, allowed, breaks].map(verdict)).toEqual(['same', 'allowed', 'breaks'])
})

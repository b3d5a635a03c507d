import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { sortedValue, spelledValue, writtenValue } from '../testing/json-reference.js'
import { runOnText, runTool } from '../testing/run-tool.js'
import { jsonSortKeys } from './json-sort-keys.js'

const plain = { indent: 'none', final_newline: false }

describe('sorting keys', () => {
  it('sorts objects of many megabytes within one another, which are not rearranged in memory', async () => {
    const member = (key: string, bytes: number): string => `"${key}":"${'x'.repeat(bytes)}"`
    const inner = `{${member('z', 3_000_000)},"m":{"b":1,"a":2},${member('a', 2_000_000)},${member('z', 10)}}`
    const text = `{"last":[${inner},{"y":1,"x":2}],${member('first', 5_000_000)},"last":{"b":0,"a":1.0}}`
    const sorted = await runTool(jsonSortKeys, cutEvery(Buffer.from(text), 1_000_003), plain)
    const expected = writtenValue(sortedValue(spelledValue(text)), '')
    expect(Buffer.from(sorted).equals(Buffer.from(expected))).toBe(true)
  })

  it.each([
    [
      '{"\\uffff":1,"\\ud83d\\ude00":2,"é":3,"z":4,"":5}',
      '{"":5,"z":4,"é":3,"\\uffff":1,"\\ud83d\\ude00":2}',
    ],
    ['{"b":1,"\\u0061":2,"a":3}', '{"\\u0061":2,"a":3,"b":1}'],
    ['{"ab":1,"a":2,"a\\u0000":3}', '{"a":2,"a\\u0000":3,"ab":1}'],
    ['{"\\ud83d":1,"\\ud7ff":2,"\\ue000":3}', '{"\\ud7ff":2,"\\ud83d":1,"\\ue000":3}'],
    ['{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
  ])('orders by code points of what keys say: %s', async (text, expected) => {
    expect(await runOnText(jsonSortKeys, text, plain)).toBe(expected)
  })

  it('sorts a hundred thousand keys', async () => {
    const keys = Array.from({ length: 100_000 }, (_key, at) => `"k${(at * 7919) % 100_003}"`)
    const text = `{${keys.map((key) => `${key}:0`).join(',')}}`
    expect(await runOnText(jsonSortKeys, text, plain)).toBe(
      `{${keys
        .toSorted()
        .map((key) => `${key}:0`)
        .join(',')}}`,
    )
  })
})

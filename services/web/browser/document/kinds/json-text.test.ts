import { expect, it } from 'vitest'
import { partText } from './kind-content.js'
import { readKind } from './read-kind.js'

async function arrayOf(text: string): Promise<string | null> {
  const found = await readKind('ndjson', partText(new TextEncoder().encode(text)))
  return found === null ? null : new TextDecoder().decode(found.tree?.())
}

it.each([
  ['{"a":1}\r\n\n [2] \n3', '[{"a":1},[2],3]'],
  ['{"a":1}\n{"b":2}\n', '[{"a":1},{"b":2}]'],
  ['{"a":1}\n{"b"', null],
  ['{"a":1} {"b":2}', null],
  ['{"a":\n1}', null],
  ['{"a":\n1}\n2', null],
  ['1\n[2', null],
  ['1\n"2', null],
  ['\n \n', null],
  ['{"a":1}\n{"b":2}\nERROR bad line\n{"c":3}\n', null],
  ['{"a":1}\n{"b":2}\n}', null],
  ['{"a":1}\n{"b":2}\n]\n', null],
  ['{"a":1}\n{"b":2}\n,\n{"c":3}', null],
  ['{"a":1}\n{"b":2}\n.50', null],
  ['{"a":1}\n{"b":2}\n// end', null],
  [`{"a":1}\n${'['.repeat(513)}${']'.repeat(513)}\n{"b":2}`, null],
])('line-delimited JSON is detected if each line is one value: %j', async (text, json) => {
  expect(await arrayOf(text)).toBe(json)
})

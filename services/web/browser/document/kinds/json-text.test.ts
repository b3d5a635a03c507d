import { expect, it } from 'vitest'
import { ndjsonText } from './json-text.js'

function arrayOf(text: string): string | null {
  const found = ndjsonText(new TextEncoder().encode(text))
  return found === null ? null : new TextDecoder().decode(found.json)
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
])('line-delimited JSON is detected if each line is one value: %j', (text, json) => {
  expect(arrayOf(text)).toBe(json)
})

import { expect, it } from 'vitest'
import type { TextForm } from './document-reader.js'
import type { ReadPart } from './read-part.js'
import { firstPart } from './testing/reader-of.js'

function read(json: string): Promise<ReadPart> {
  return firstPart(json)
}

function allLines({ queries }: ReadPart, form: TextForm): readonly string[] {
  return queries.lines(form, 0, queries.lineCount(form)).map((line) => line.text)
}

const anything = { caseSensitive: false, backwards: false }

it('a single value is shown decoded, with line breaks of every kind', async () => {
  const document = await read('{"t":"a\\r\\nb\\n\\nc\\rd\\u2028e"}')
  expect(allLines(document, 'shown')).toEqual(['a', 'b', '', 'c', 'd', 'e'])
  expect(allLines(document, 'sent')).toEqual(['{"t":"a\\r\\nb\\n\\nc\\rd\\u2028e"}'])
})

it('a text that ends with a line break ends with an empty line', async () => {
  expect(allLines(await read('{"t":"a\\n"}'), 'shown')).toEqual(['a', ''])
})

it('a byte order mark, a null and every escape stay in a single value; a lone surrogate is replaced', async () => {
  const [line] = allLines(
    await read('{"t":"\\ufeffa\\u0000\\"\\\\\\/\\b\\t\\ud83d\\ude00é😀\\ud800x"}'),
    'shown',
  )
  expect(line).toBe('\ufeffa\u0000"\\/\b\t😀é😀\ufffdx')
})

it('JSON is pretty-printed with every token as sent', async () => {
  const json =
    '{ "n":[1e400,12345678901234567890,1.0,-0],"e":{},"f":[ ],"k":"\\u0041\\n","k":"{,:}","__proto__":null}'
  expect(allLines(await read(json), 'shown')).toEqual([
    '{',
    '  "n": [',
    '    1e400,',
    '    12345678901234567890,',
    '    1.0,',
    '    -0',
    '  ],',
    '  "e": {},',
    '  "f": [],',
    '  "k": "\\u0041\\n",',
    '  "k": "{,:}",',
    '  "__proto__": null',
    '}',
  ])
})

it('the line of a value is known in both forms', async () => {
  const { queries } = await read('{"a":1,\n"b":[2,{"c":3}]}')
  expect(queries.lineOf('shown', '/b/1/c')).toBe(5)
  expect(queries.lineOf('shown', '/b')).toBe(2)
  expect(queries.lineOf('shown', '')).toBe(0)
  expect(queries.lineOf('sent', '/b/1/c')).toBe(1)
  expect(queries.lineOf('sent', '/d')).toBeNull()
})

it('a very long line is cut, with the number of characters left out', async () => {
  const { queries } = await read(`{"t":"é${'😀'.repeat(10_000)}"}`)
  const [line] = queries.lines('shown', 0, 1)
  expect(line?.text.length).toBe(9_999)
  expect(line?.cutLength).toBe(20_001 - 9_999)
  expect(line?.text.isWellFormed()).toBe(true)
})

it('a search goes from match to match and wraps around, in both directions', async () => {
  const { queries } = await read('{"t":"Ab ab\\ncab\\nÄÖ [x]"}')
  const forwards = { text: 'AB', ...anything }
  expect(queries.findText('shown', forwards, null)).toEqual({
    line: 0,
    column: 0,
    length: 2,
    index: 0,
    total: 3,
  })
  expect(queries.findText('shown', forwards, { line: 0, column: 0 })).toMatchObject({ line: 0, column: 3 })
  expect(queries.findText('shown', forwards, { line: 0, column: 3 })).toMatchObject({ line: 1, column: 1 })
  expect(queries.findText('shown', forwards, { line: 1, column: 1 })).toMatchObject({ line: 0, index: 0 })
  const backwards = { ...forwards, backwards: true }
  expect(queries.findText('shown', backwards, null)).toMatchObject({ index: 2 })
  expect(queries.findText('shown', backwards, { line: 0, column: 0 })).toMatchObject({ index: 2 })
  expect(queries.findText('shown', { ...forwards, caseSensitive: true }, null)).toBeNull()
  expect(queries.findText('shown', { text: 'äö [X]', ...anything }, null)).toMatchObject({
    line: 2,
    column: 0,
  })
  expect(queries.findText('shown', { text: '', ...anything }, null)).toBeNull()
})

import { expect, it } from 'vitest'
import { guessKind, isJson, readFile, readyData, titleFromFile } from './new-data.js'

it.each([
  ['customers.csv', 'x', 'csv'],
  ['dump.SQL', 'x', 'sql'],
  ['notes.txt', '{"a":1}', 'text'],
  ['a.json', '{"a":1}', 'json'],
  ['a.json', '42', 'json'],
  ['a.json', '{broken', 'text'],
  ['', '{"a":1}', 'json'],
  ['', ' [1, 2]', 'json'],
  ['', '42', 'text'],
  ['', '[note] no json', 'text'],
  ['', 'name,role\nAda,engineer\nGrace,admiral\n', 'csv'],
  ['', 'name;role\n"a;b";c', 'csv'],
  ['', 'SELECT a, b\nFROM t;', 'sql'],
  ['', 'Dear Ada,\nI write to you, as you know, at length.', 'text'],
  ['', 'one line, with a comma', 'text'],
] as const)('%s with %j is kept as %s', (name, content, kind) => {
  expect(guessKind(name, content)).toBe(kind)
})

it('a JSON object is sent as written', async () => {
  const content = ' { "a" : 1.0, "a": 1e400, "s": "\\u0000\\/é" }\n'
  const { data, wrappedUnder } = readyData('json', content)
  expect(await data.text()).toBe(content)
  expect(wrappedUnder).toBeNull()
})

it.each([
  ['[1.0, 2]', '{"items":[1.0, 2]}', 'items'],
  ['"x"', '{"value":"x"}', 'value'],
  ['1e400', '{"value":1e400}', 'value'],
])('JSON that is no object (%s) is put into one as it is', async (content, sent, key) => {
  const { data, wrappedUnder } = readyData('json', content)
  expect(await data.text()).toBe(sent)
  expect(wrappedUnder).toBe(key)
})

it('other text is stored as a string, with every character', async () => {
  const content = 'a,"b"\r\n\u0000\u2028\ud800</script>'
  expect(JSON.parse(await readyData('csv', content).data.text())).toEqual({ csv: content })
})

it('only valid JSON can be saved as JSON', () => {
  expect(isJson('{"a":1}')).toBe(true)
  expect(isJson('{a:1}')).toBe(false)
})

it.each([
  ['customers 2030.csv', 'customers 2030'],
  ['archive.tar.gz', 'archive.tar'],
  ['.env', ''],
  ['', ''],
])('the file %j suggests the title %j', (name, title) => {
  expect(titleFromFile(name)).toBe(title)
})

it('a text file is read without its byte order mark', async () => {
  const file = new File([new Uint8Array([0xef, 0xbb, 0xbf]), 'é,1\r\n'], 'a.csv')
  expect(await readFile(file)).toEqual({ fileName: 'a.csv', text: 'é,1\r\n' })
})

it('a file that is not text is rejected, not mangled', async () => {
  await expect(readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], 'a.bin'))).rejects.toThrow(TypeError)
})

import { expect, it } from 'vitest'
import { firstPart } from './testing/reader-of.js'

it.each([
  ['{"csv":"a,b\\n1,2"}', 'csv', 'csv'],
  ['{"csv":"one column"}', 'csv', 'csv'],
  ['{"output":"name;age\\nAda;36\\nAlan;41\\n"}', 'csv', 'output'],
  ['{"sql":"SELECT id, name\\nFROM person, address"}', 'sql', 'sql'],
  ['{"text":"Hello, you.\\nBye, you."}', 'text', 'text'],
  ['{"text":""}', 'text', 'text'],
  ['{"a/b~c":"x"}', 'text', 'a/b~c'],
  ['{"csv":"a,b","csv":"a,b"}', 'json', null],
  ['{"csv":1}', 'json', null],
  ['{}', 'json', null],
])('%s is recognized by its members', async (json, kind, name) => {
  expect((await firstPart(json)).opened).toMatchObject({ kind, name })
})

it('the first array of objects makes a table, with its pointer', async () => {
  const { opened } = await firstPart('{"n":[1],"e":[],"a/b":[{"x":1}],"later":[{}]}')
  expect(opened.table).toEqual({ source: 'objects', pointer: '/a~1b' })
})

import { expect, it } from 'vitest'
import { fittingFile } from './download-snippet.js'

it.each([
  ['{"csv":"a,b\\n1,2"}', 'csv', 'a,b\n1,2'],
  ['{"sql":"SELECT 1"}', 'sql', 'SELECT 1'],
  ['{"output":"x"}', 'txt', 'x'],
  ['{"csv":"a","more":1}', 'json', '{"csv":"a","more":1}'],
  ['{"n":1.0}', 'json', '{"n":1.0}'],
  ['{}', 'json', '{}'],
])('%s is saved as .%s', (json, extension, content) => {
  expect(fittingFile(json)).toEqual({ extension, content })
})

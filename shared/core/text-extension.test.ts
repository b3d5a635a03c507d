import { expect, it } from 'vitest'
import { textExtension } from './text-extension.js'

it.each([
  [['csv'], 'csv'],
  [['output', 'json-to-csv'], 'csv'],
  [['csv', 'sql'], 'csv'],
  [['result', 'sql.formatter'], 'sql'],
  [['YML'], 'yaml'],
  [['README_markdown'], 'md'],
  [['text', 'word-count'], 'txt'],
  [[], 'txt'],
  [['constructor', '__proto__'], 'txt'],
])('a text under %j is saved as .%s', (names, extension) => {
  expect(textExtension(...names)).toBe(extension)
})

it('no file extension is one that a browser would run', () => {
  for (const name of ['html', 'csv-to-html', 'svg', 'xml', 'xhtml', 'js', 'exe', 'hta', 'url'])
    expect(textExtension(name)).toBe('txt')
})

import { expect, it } from 'vitest'
import { textExtension, withExtension } from './text-extension.js'

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

it.each([
  ['orders', 'csv', 'orders.csv'],
  ['orders.csv', 'csv', 'orders.csv'],
  ['ORDERS.CSV', 'csv', 'ORDERS.CSV'],
  ['values.yml', 'yaml', 'values.yml'],
  ['README.markdown', 'md', 'README.markdown'],
  ['config.json', 'json', 'config.json'],
  ['v1.2', 'csv', 'v1.2.csv'],
  ['orders.json', 'csv', 'orders.json.csv'],
  ['index.html', 'txt', 'index.html.txt'],
  ['notes.txt', 'txt', 'notes.txt'],
  ['.csv', 'csv', '.csv.csv'],
  ['csv', 'csv', 'csv.csv'],
])('%s saved as %s is %s', (name, extension, file) => {
  expect(withExtension(name, extension)).toBe(file)
})

import { expect, it } from 'vitest'
import { fileName } from './file-name.js'

it.each([
  ['Prices: “March”', 'csv', 'Prices-March.csv'],
  ['orders.csv', 'csv', 'orders.csv'],
  ['values.yml', 'yaml', 'values.yaml'],
  ['v1.2', 'json', 'v1-2.json'],
  ['index.html', 'txt', 'index-html.txt'],
  ['…', 'csv', 'share.csv'],
])('%s as %s is saved as %s', (title, extension, file) => {
  expect(fileName(title, extension)).toBe(file)
})

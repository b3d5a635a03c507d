import { expect, it } from 'vitest'
import { nearestTool } from './nearest-tool.js'

it.each([
  ['format-json', 'json-format'],
  ['json-formatter', 'json-format'],
  ['JSON_Format', 'json-format'],
  ['json-fromat', 'json-format'],
  ['csv2json', 'csv-to-json'],
  ['nope', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('for %j the nearest tool is %s', (name, nearest) => {
  expect(nearestTool(name)?.name).toBe(nearest)
})

import { expect, test } from 'vitest'
import { choosePrevious, isCoveredBy } from './previous-release.js'

function lockfile(packages: Record<string, string>): string {
  const entries = Object.entries(packages).map(([path, version]) => [path, { version }])
  return JSON.stringify({ packages: { '': { version: '9' }, ...Object.fromEntries(entries) } })
}

test('a release can use these packages if they include all of its own in the same versions', () => {
  const here = lockfile({ 'node_modules/pg': '8.0.0', 'node_modules/new': '1.0.0' })
  expect(isCoveredBy(lockfile({ 'node_modules/pg': '8.0.0' }), here)).toBe(true)
  expect(isCoveredBy(lockfile({ 'node_modules/pg': '8.0.1' }), here)).toBe(false)
  expect(isCoveredBy(lockfile({ 'node_modules/gone': '1.0.0' }), here)).toBe(false)
})

test('the previous release is the requested one, else the latest tag, else the recorded one', () => {
  expect(choosePrevious('v1', 'v2', 'abc')).toBe('v1')
  expect(choosePrevious(undefined, 'v2\n', 'abc')).toBe('v2')
  expect(choosePrevious(undefined, null, 'abc\n')).toBe('abc')
  expect(() => choosePrevious(undefined, null, null)).toThrow('There is no release before')
})

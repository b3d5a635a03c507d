import { expect, test } from 'vitest'
import { ok } from '#libs/doctor/finding.js'
import { readOptions } from './check-installation.js'
import { findingsIn, setIn } from './process-doctor.js'

test('lines that are not findings are skipped', () => {
  const line = JSON.stringify({ process: 'web', ...ok('a', 'b') })
  expect(findingsIn(`noise\n{"verdict":"fine"}\n${line}\n`)).toEqual([ok('a', 'b')])
})

test('the names of set variables are read from their line', () => {
  expect(setIn('noise\n{"process":"web","set":["HOST","PORT"]}\n')).toEqual(['HOST', 'PORT'])
  expect(setIn('{"process":"web","set":[]}\n')).toEqual([])
  expect(setIn('')).toEqual([])
})

test('the command accepts process names, --json and --report, and nothing else', () => {
  expect(readOptions([]).processes).toHaveLength(7)
  expect(readOptions(['web', '--json'])).toEqual({ processes: ['web'], json: true, report: false })
  expect(readOptions(['--report'])).toMatchObject({ json: false, report: true })
  expect(() => readOptions(['nobody'])).toThrow('Usage: doctor')
})

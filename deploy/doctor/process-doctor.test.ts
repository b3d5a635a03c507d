import { expect, test } from 'vitest'
import { ok } from '#libs/doctor/finding.js'
import { readOptions } from './check-installation.js'
import { findingsIn, setIn } from './process-doctor.js'

test('lines that are no findings are passed over', () => {
  const line = JSON.stringify({ process: 'web', ...ok('a', 'b') })
  expect(findingsIn(`noise\n{"verdict":"fine"}\n${line}\n`)).toEqual([ok('a', 'b')])
})

test('the names of what is set are read from the line that says them', () => {
  expect(setIn('noise\n{"process":"web","set":["HOST","PORT"]}\n')).toEqual(['HOST', 'PORT'])
  expect(setIn('{"process":"web","set":[]}\n')).toEqual([])
  expect(setIn('')).toEqual([])
})

test('the command takes names of processes, --json and --report, and nothing else', () => {
  expect(readOptions([]).processes).toHaveLength(6)
  expect(readOptions(['web', '--json'])).toEqual({ processes: ['web'], json: true, report: false })
  expect(readOptions(['--report'])).toMatchObject({ json: false, report: true })
  expect(() => readOptions(['nobody'])).toThrow('Usage: doctor')
})

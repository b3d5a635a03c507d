import { expect, test } from 'vitest'
import { ok } from '#libs/doctor/finding.js'
import { readWishes } from './examine-installation.js'
import { findingsIn } from './process-doctor.js'

test('lines that are no findings are passed over', () => {
  const line = JSON.stringify({ process: 'web', ...ok('a', 'b') })
  expect(findingsIn(`noise\n{"verdict":"fine"}\n${line}\n`)).toEqual([ok('a', 'b')])
})

test('the command takes names of processes and --json, and nothing else', () => {
  expect(readWishes([]).processes).toHaveLength(6)
  expect(readWishes(['web', '--json'])).toEqual({ processes: ['web'], json: true })
  expect(() => readWishes(['nobody'])).toThrow('Usage: doctor')
})

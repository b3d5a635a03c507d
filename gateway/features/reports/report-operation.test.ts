import { expect, it } from 'vitest'
import { createReporterDigest } from './report-operation.js'

const key = 'a configured key of thirty-two characters'

it('recognizes an address in every gateway with the same key, and none without', () => {
  const [one, other] = [createReporterDigest(key), createReporterDigest(key)]
  expect(one('192.0.2.1')).toEqual(other('192.0.2.1'))
  expect(one('192.0.2.1')).not.toEqual(one('192.0.2.2'))
  expect(createReporterDigest(`${key}!`)('192.0.2.1')).not.toEqual(one('192.0.2.1'))
  expect(createReporterDigest(null)('192.0.2.1')).not.toEqual(createReporterDigest(null)('192.0.2.1'))
})

it('a digest has 32 bytes and does not contain the address', () => {
  const digest = createReporterDigest(key)('192.0.2.1')
  expect(digest).toHaveLength(32)
  expect(digest.toString('latin1')).not.toContain('192.0.2.1')
})

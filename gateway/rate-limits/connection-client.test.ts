import { expect, it } from 'vitest'
import { createConnectionClient } from './connection-client.js'

const clientOf = createConnectionClient(['10.1.0.0/16', '2001:db8:1::/48'])

it('a connection counts for its IPv4 address, or for the /64 of its IPv6 address', () => {
  expect(clientOf('203.0.113.7')).toBe('203.0.113.7')
  expect(clientOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(clientOf('2001:db8:2:3:4:5:6:7')).toBe(clientOf('2001:db8:2:3::1'))
  expect(clientOf('2001:db8:2:4::1')).not.toBe(clientOf('2001:db8:2:3::1'))
})

it.each([
  '10.1.2.3',
  '::ffff:10.1.2.3',
  '2001:db8:1:2::3',
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '::ffff:127.0.0.1',
])('a connection of a trusted proxy, or of this machine, counts for no one: %s', (address) => {
  expect(clientOf(address)).toBeNull()
})

it('with a number of trusted proxies, every connection is one of theirs', () => {
  expect(createConnectionClient([], 1)('203.0.113.7')).toBeNull()
})

it('connections with an unknown address count together', () => {
  expect(clientOf(undefined)).toBe(clientOf(''))
  expect(clientOf(undefined)).not.toBeNull()
})

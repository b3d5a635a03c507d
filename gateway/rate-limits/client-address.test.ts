import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClientAddress, createConnectionClient } from './client-address.js'

const direct = createClientAddress([])
const behind = createClientAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::ffff:172.16.0.0/108'])
const proxy = '10.1.2.3'

/** Each pair is one client in two notations. */
const notations: readonly (readonly [string, string])[] = [
  ['1.2.3.4', '::ffff:1.2.3.4'],
  ['1.2.3.4', '::ffff:102:304'],
  ['::ffff:1.2.3.4', '::FFFF:0102:0304'],
  ['1.2.3.4', '0:0:0:0:0:ffff:1.2.3.4'],
  ['1.2.3.4', '0000:0000:0000:0000:0000:ffff:0102:0304'],
  ['1.2.3.4', '1.2.3.4:5678'],
  ['1.2.3.4', '[::ffff:1.2.3.4]:5678'],
  ['1.2.3.4', ' 1.2.3.4 '],
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8::1', '2001:0DB8:0000:0000:0000:0000:0000:0001'],
  ['2001:db8::1', '2001:db8:0:0::1'],
  ['2001:db8::1', '2001:db8::ffff:ffff:ffff:ffff'],
  ['2001:db8::1', '[2001:db8::1]'],
  ['2001:db8::1', '[2001:db8::1]:443'],
  ['2001:db8::1', '2001:db8::1%eth0'],
  ['2001:db8::1', '[2001:db8::1%25eth0]:443'],
  ['fe80::1%eth0', 'fe80::1%eth1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::', '::2'],
  ['2001:db8::1.2.3.4', '2001:db8::102:304'],
  ['255.255.255.255', '::ffff:255.255.255.255'],
]

const different: readonly (readonly [string, string])[] = [
  ['1.2.3.4', '1.2.3.5'],
  ['2001:db8:0:1::1', '2001:db8:0:2::1'],
  ['64:ff9b::102:304', '1.2.3.4'],
]

describe('the address of a client', () => {
  it('is the same in every notation, and IPv6 counts by its /64', () => {
    for (const [one, other] of notations) {
      expect(behind(proxy, one), `${one} and ${other}`).toBe(behind(proxy, other))
      expect(behind(proxy, one)).not.toBe(behind(proxy, undefined))
    }
    for (const [one, other] of different) {
      expect(behind(proxy, one), `${one} and ${other}`).not.toBe(behind(proxy, other))
    }
    expect(direct('2001:db8::1', undefined)).toBe('2001:db8::/64')
    expect(direct('::ffff:1.2.3.4', undefined)).toBe('1.2.3.4')
    const ofOneNetwork = Array.from({ length: 1_000 }, (_, n) =>
      direct(`2001:db8:1:2::${n.toString(16)}`, ''),
    )
    expect(new Set(ofOneNetwork).size).toBe(1)
  })

  it('is the socket’s without trusted proxies, whatever the headers claim', () => {
    const claims = Array.from({ length: 1_000 }, (_, n) => `${n % 256}.${n >> 8}.3.4, 10.0.0.${n % 256}`)
    expect(new Set(claims.map((claim) => direct('203.0.113.9', claim)))).toEqual(new Set(['203.0.113.9']))
    expect(new Set(claims.map((claim) => behind('203.0.113.9', claim)))).toEqual(new Set(['203.0.113.9']))
  })

  it('is the right-most untrusted one, behind any number of proxies', () => {
    expect(behind(proxy, '198.51.100.7')).toBe('198.51.100.7')
    expect(behind(proxy, '1.1.1.1, 198.51.100.7')).toBe('198.51.100.7')
    expect(behind(proxy, '1.1.1.1,198.51.100.7,10.9.9.9, 192.0.2.1')).toBe('198.51.100.7')
    expect(behind('::ffff:10.1.2.3', '198.51.100.7')).toBe('198.51.100.7')
    expect(behind('2001:db8:ffff::1', '198.51.100.7, 172.17.0.1, ::ffff:172.31.255.255')).toBe('198.51.100.7')
    expect(behind(proxy, '2001:db8:fffe::9, 2001:db8:ffff::1')).toBe('2001:db8:fffe::/64')
    expect(behind(proxy, '10.0.0.9, 10.0.0.8')).toBe('10.0.0.9')
  })

  it('is the socket’s if the header is garbage, and never missing', () => {
    const junk = [
      '',
      ' ',
      ',',
      'unknown',
      '_hidden',
      '1.2.3',
      '0x7f.1',
      '01.02.03.04',
      '1.2.3.4.5',
      '1.2.3.4:abc',
      '1.2.3.4:',
      '1.2.3.4%x',
      '1.2.3.4:1:2',
      '::g',
      '[::1',
      'a,b',
    ]
    for (const claim of junk) expect(behind(proxy, claim), claim).toBe(proxy)
    expect(behind(proxy, '198.51.100.7, junk')).toBe(proxy)
    expect(behind(proxy, 'junk, 198.51.100.7')).toBe('198.51.100.7')
    expect(behind(undefined, '198.51.100.7')).toBe('unknown')
    expect(behind(proxy, `${'9'.repeat(200)}`)).toBe(proxy)
  })

  it('is found without errors in linear time for any header', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', '', 'x', '[::1]:1', '%')))
        .map(String),
    )
    void fc.assert(
      fc.property(
        anything,
        anything,
        (socket, claim) => behind(socket, claim) !== '' && behind(proxy, claim) !== '',
      ),
      { numRuns: 4_000 },
    )
    for (const long of [
      ','.repeat(16_000),
      '10.0.0.1,'.repeat(1_700),
      '1'.repeat(16_000),
      ' ,'.repeat(8_000),
    ]) {
      const startedAt = performance.now()
      for (let n = 0; n < 20; n += 1) behind(proxy, long)
      expect(performance.now() - startedAt).toBeLessThan(500)
    }
  })
})

describe('behind a known number of proxies', () => {
  const one = createClientAddress([], 1)
  const two = createClientAddress([], 2)

  it('a client cannot choose its address, even if a load balancer inserts a private one', () => {
    // If the whole private network is trusted, the client's own entry counts.
    const wide = createClientAddress(['10.0.0.0/8'])
    expect(wide('10.1.2.3', '203.0.113.77, 10.0.0.5')).toBe('203.0.113.77')
    expect(one('10.1.2.3', '203.0.113.77, 10.0.0.5')).toBe('10.0.0.5')
    expect(one('10.1.2.3', '203.0.113.78, 10.0.0.5')).toBe('10.0.0.5')
    expect(createClientAddress(['10.1.2.3'])('10.1.2.3', '203.0.113.77, 10.0.0.5')).toBe('10.0.0.5')
  })

  it('the address is the one that the outermost proxy saw', () => {
    expect(one('192.0.2.9', '198.51.100.4')).toBe('198.51.100.4')
    expect(two('192.0.2.9', '1.1.1.1, 198.51.100.4, 192.0.2.8')).toBe('198.51.100.4')
    expect(two('192.0.2.9', '198.51.100.4')).toBe('198.51.100.4')
  })

  it('the address is the socket’s if the header is missing or garbage', () => {
    expect(one('192.0.2.9', undefined)).toBe('192.0.2.9')
    expect(one('192.0.2.9', 'unknown')).toBe('192.0.2.9')
    expect(two('192.0.2.9', 'junk, 192.0.2.8')).toBe('192.0.2.9')
    expect(one('192.0.2.9', '')).toBe('192.0.2.9')
  })
})

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

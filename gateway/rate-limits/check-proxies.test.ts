import { expect, test } from 'vitest'
import { checkProxies } from './check-proxies.js'

function verdict(
  trustedProxies: readonly string[],
  publicBaseUrl = 'https://snip.example',
  trustedHops: number | null = null,
) {
  return checkProxies({ trustedProxies, trustedHops, publicBaseUrl }).map((finding) => finding.verdict)
}

test('behind https at least one proxy must be trusted', () => {
  expect(verdict([])).toEqual(['warning'])
  expect(verdict([], 'http://localhost:8080')).toEqual(['ok'])
  expect(verdict(['10.7.0.0/16'])).toEqual(['ok'])
  expect(verdict([], 'https://snip.example', 1)).toEqual(['ok'])
})

test('trusting everyone is a problem, and trusting much of the internet a warning', () => {
  expect(verdict(['0.0.0.0/0'])).toEqual(['problem'])
  expect(verdict(['::/0', '10.1.2.3'])).toEqual(['problem'])
  expect(verdict(['8.0.0.0/8'])).toEqual(['warning'])
  expect(verdict(['203.0.113.7', '2001:4860::/48', 'fd00:1:2::/48', '127.0.0.1'])).toEqual(['ok'])
})

test('a private network wider than proxies need is a warning', () => {
  for (const network of ['10.0.0.0/8', '172.16.0.0/12', '10.0.0.0/15', 'fd00::/8'])
    expect(verdict([network]), network).toEqual(['warning'])
  for (const network of ['10.4.0.0/16', '192.168.0.0/16', '10.4.5.6'])
    expect(verdict([network]), network).toEqual(['ok'])
})

import { expect, test } from 'vitest'
import { examineProxies } from './examine-proxies.js'

function verdict(trustedProxies: readonly string[], publicBaseUrl = 'https://snip.example') {
  return examineProxies({ trustedProxies, publicBaseUrl }).map((finding) => finding.verdict)
}

test('behind https some proxy must be trusted', () => {
  expect(verdict([])).toEqual(['warning'])
  expect(verdict([], 'http://localhost:8080')).toEqual(['ok'])
  expect(verdict(['10.0.0.0/8'])).toEqual(['ok'])
})

test('trusting everybody is a problem, and trusting much of the internet a warning', () => {
  expect(verdict(['0.0.0.0/0'])).toEqual(['problem'])
  expect(verdict(['::/0', '10.1.2.3'])).toEqual(['problem'])
  expect(verdict(['8.0.0.0/8'])).toEqual(['warning'])
  expect(verdict(['203.0.113.7', '2001:4860::/48', 'fd00::/8', '127.0.0.1'])).toEqual(['ok'])
})

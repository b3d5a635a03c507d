import { expect, it } from 'vitest'
import { dueStep, type Tokens } from './tokens.js'

const hour = 3_600_000
const renewable: Tokens = { idToken: 'i', refreshToken: 'r', logoutHint: 'h', expiresAtMs: hour, name: 'ada' }
const fixed: Tokens = { ...renewable, refreshToken: null }

it('a renewable token is renewed shortly before its end', () => {
  expect(dueStep(renewable, hour, hour - 91_000)).toBe('nothing')
  expect(dueStep(renewable, hour, hour - 90_000)).toBe('renew')
  expect(dueStep(renewable, hour, hour + 1)).toBe('renew')
})

it('a token that lives for a minute is not renewed all the time', () => {
  expect(dueStep({ ...renewable, expiresAtMs: 60_000 }, 60_000, 40_000)).toBe('nothing')
  expect(dueStep({ ...renewable, expiresAtMs: 60_000 }, 60_000, 46_000)).toBe('renew')
})

it('a token that cannot be renewed is announced two minutes before it ends', () => {
  expect(dueStep(fixed, hour, hour - 121_000)).toBe('nothing')
  expect(dueStep(fixed, hour, hour - 120_000)).toBe('warn')
  expect(dueStep(fixed, hour, hour)).toBe('end')
})

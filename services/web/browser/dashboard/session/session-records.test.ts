import { expect, it } from 'vitest'
import type { Tokens } from './issuer-client.js'
import {
  dueStep,
  keepPending,
  markSignedIn,
  type SessionStorage,
  safeReturnPath,
  takePending,
  takeSignedInMark,
} from './session.js'

const hour = 3_600_000

function memoryStorage(): SessionStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

const pending = {
  state: 's',
  nonce: 'n',
  verifier: 'v',
  returnTo: '/dashboard/shares?state=all',
  silent: false,
}

it('a pending sign-in is valid for one callback', () => {
  const storage = memoryStorage()
  keepPending(storage, pending)
  expect(takePending(storage)).toEqual(pending)
  expect(takePending(storage)).toBeNull()
})

it.each(['', '{', 'null', '{"state":"s"}', '[]'])('a damaged record (%s) is none', (json) => {
  expect(takePending({ ...memoryStorage(), getItem: () => json })).toBeNull()
})

it('the return path is always in the dashboard, or the front page, or the page of a tool', () => {
  for (const path of [
    '/dashboard/keys?new=1#x',
    '/tools/json-format#indent=4',
    '/tools/json-format?from=mail',
    '/',
    '/?from=mail',
    '/#cell=2,3@/csv',
  ])
    expect(safeReturnPath(path)).toBe(path)
  for (const path of [
    '//evil.example',
    '//',
    '/\\evil.example',
    '/@evil.example',
    '/compare',
    '/compare/x',
    '/comparex',
    'https://evil.example',
    '/dashboards',
    '/tools',
    '/tools/../api',
    '/s/abc',
    '\\\\evil',
    '',
  ]) {
    expect(safeReturnPath(path)).toBe('/dashboard')
  }
})

it('the mark of a signed-in tab is only tried once', () => {
  const storage = memoryStorage()
  expect(takeSignedInMark(storage)).toBe(false)
  markSignedIn(storage)
  expect(takeSignedInMark(storage)).toBe(true)
  expect(takeSignedInMark(storage)).toBe(false)
})

const renewable: Tokens = { idToken: 'i', refreshToken: 'r', logoutHint: 'h', expiresAtMs: hour, name: 'ada' }
const fixed: Tokens = { ...renewable, refreshToken: null }

it('a renewable token is renewed shortly before it expires', () => {
  expect(dueStep(renewable, hour, hour - 91_000)).toBe('nothing')
  expect(dueStep(renewable, hour, hour - 90_000)).toBe('renew')
  expect(dueStep(renewable, hour, hour + 1)).toBe('renew')
})

it('a one-minute token is not renewed all the time', () => {
  expect(dueStep({ ...renewable, expiresAtMs: 60_000 }, 60_000, 40_000)).toBe('nothing')
  expect(dueStep({ ...renewable, expiresAtMs: 60_000 }, 60_000, 46_000)).toBe('renew')
})

it('a non-renewable token is announced two minutes before it expires', () => {
  expect(dueStep(fixed, hour, hour - 121_000)).toBe('nothing')
  expect(dueStep(fixed, hour, hour - 120_000)).toBe('warn')
  expect(dueStep(fixed, hour, hour)).toBe('end')
})

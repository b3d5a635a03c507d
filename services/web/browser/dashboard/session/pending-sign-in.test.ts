import { expect, it } from 'vitest'
import {
  keepPending,
  markSignedIn,
  type SessionStorage,
  safeReturnPath,
  takePending,
  takeSignedInMark,
} from './pending-sign-in.js'

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

it('a pending sign-in is good for one answer', () => {
  const storage = memoryStorage()
  keepPending(storage, pending)
  expect(takePending(storage)).toEqual(pending)
  expect(takePending(storage)).toBeNull()
})

it.each(['', '{', 'null', '{"state":"s"}', '[]'])('a damaged record (%s) is none', (json) => {
  expect(takePending({ ...memoryStorage(), getItem: () => json })).toBeNull()
})

it('the way back leads nowhere but to the dashboard', () => {
  expect(safeReturnPath('/dashboard/keys?new=1#x')).toBe('/dashboard/keys?new=1#x')
  for (const path of ['//evil.example', 'https://evil.example', '/dashboards', '/s/abc', '\\\\evil', '']) {
    expect(safeReturnPath(path)).toBe('/dashboard')
  }
})

it('the mark of a signed-in tab is tried only once', () => {
  const storage = memoryStorage()
  expect(takeSignedInMark(storage)).toBe(false)
  markSignedIn(storage)
  expect(takeSignedInMark(storage)).toBe(true)
  expect(takeSignedInMark(storage)).toBe(false)
})

import { expect, it } from 'vitest'
import { eventTitle, principalWords } from './event-words.js'

it('an event is described in a sentence with its names', () => {
  expect(eventTitle({ type: 'key.rotated', detail: { name: 'CI' } })).toBe('Key “CI” got a new secret')
  expect(eventTitle({ type: 'key.expires_soon', detail: { name: 'CI', days: 3 } })).toBe(
    'Key “CI” expires in 3 days',
  )
  expect(eventTitle({ type: 'trust.refused', detail: { name: 'CI', reason: 'expired', claim: null } })).toBe(
    'Trusted publisher “CI” refused a CI job',
  )
  expect(eventTitle({ type: 'share.viewed', detail: { title: 'Report', views: 3, total: 9 } })).toBe(
    'Share “Report” was viewed 3 times',
  )
  expect(eventTitle({ type: 'share.viewed', detail: { title: 'Report', views: 1, total: 1 } })).toBe(
    'Share “Report” was viewed once',
  )
  expect(eventTitle({ type: 'share.used_up', detail: { title: 'Report', views: 5 } })).toBe(
    'Share “Report” was opened for the last time',
  )
  expect(eventTitle({ type: 'share.password_failed', detail: { title: 'Report', failed: 1 } })).toBe(
    'Someone tried a wrong password for share “Report”',
  )
  const restored = { title: 'Report', restored: 3, version: 7 }
  expect(eventTitle({ type: 'snippet.restored', detail: restored })).toBe(
    'Snippet “Report” was restored to version 3',
  )
  const check = { check: 'c', title: 'Report', breaks: 2, version: 7 }
  expect(
    ['broke', 'approved', 'rejected'].map((what) => eventTitle({ type: `check.${what}`, detail: check })),
  ).toEqual([
    'An output for “Report” breaks its contract',
    'A new output for “Report” was approved',
    'An output for “Report” was rejected',
  ])
  expect(eventTitle({ type: 'account.plan_changed', detail: { from: 'free', to: 'pro' } })).toBe(
    'The plan changed from Free to Pro',
  )
})

it('a limit that is near is described with what is used of it', () => {
  const near = (limit: string, used: number, of: number) =>
    eventTitle({ type: 'limit.near', detail: { limit, used, of } })
  expect(near('snippets', 12, 15)).toBe('You have 12 of 15 snippets')
  expect(near('shares', 40, 50)).toBe('You have 40 of 50 live shares')
  expect(near('stored_bytes', 41_943_040, 52_428_800)).toBe('You have stored 40 MB of 50 MB')
  expect(near('api_keys', 4, 5)).toBe('You have 4 of 5 API keys')
  expect(near('trusted_publishers', 16, 20)).toBe('You have 16 of 20 trusted publishers')
})

it('unknown types of a newer server are shown as they are', () => {
  expect(eventTitle({ type: 'orbit.entered', detail: {} })).toBe('orbit.entered')
  expect(eventTitle({ type: 'limit.near', detail: { limit: 'orbits', used: 1, of: 2 } })).toBe('limit.near')
  expect(principalWords({ principal: { kind: 'satellite' } })).toBe('satellite')
  expect(principalWords({ principal: { kind: 'owner' } })).toBe('by you')
})

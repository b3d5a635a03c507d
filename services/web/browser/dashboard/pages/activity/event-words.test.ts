import { expect, it } from 'vitest'
import { eventTitle, principalWords } from './event-words.js'

it('an event is told as a sentence with its names', () => {
  expect(eventTitle({ type: 'key.rotated', detail: { name: 'CI' } })).toBe('Key “CI” got a new secret')
  expect(eventTitle({ type: 'key.expires_soon', detail: { name: 'CI', days: 3 } })).toBe(
    'Key “CI” expires in 3 days',
  )
  expect(eventTitle({ type: 'trust.refused', detail: { name: 'CI', reason: 'expired', claim: null } })).toBe(
    'Trusted publisher “CI” refused a CI job',
  )
  expect(eventTitle({ type: 'account.plan_changed', detail: { from: 'free', to: 'pro' } })).toBe(
    'The plan changed from Free to Pro',
  )
})

it('what a newer server tells is shown as it is', () => {
  expect(eventTitle({ type: 'orbit.entered', detail: {} })).toBe('orbit.entered')
  expect(principalWords({ principal: { kind: 'satellite', id: null } })).toBe('satellite')
  expect(principalWords({ principal: { kind: 'owner', id: null } })).toBe('by you')
})

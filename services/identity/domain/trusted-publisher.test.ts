import { expect, it } from 'vitest'
import { checkTrustedPublisher } from './trusted-publisher.js'

const fields = {
  ...{ name: 'Releases', repository: 'acme/website', claims: {}, events: [] },
  ttlSeconds: 900,
}

it('a rule lets CI jobs read and write, and never approve', () => {
  expect(checkTrustedPublisher({ ...fields, scopes: [] }, 'github').scopes).toEqual(['read', 'write'])
  expect(() => checkTrustedPublisher({ ...fields, scopes: ['approve'] }, 'github')).toThrow(
    'A trusted publisher cannot have the scope approve, so that no CI job approves what it made.',
  )
})

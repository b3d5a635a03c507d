import { expect, it } from 'vitest'
import { shareTitle } from './share-title.js'

it('a share that has lost its title can still be told and clicked', () => {
  expect(shareTitle({ title: 'Team' })).toBe('Team')
  expect(shareTitle({ title: '' })).toBe('Expired share')
})

import { expect, it } from 'vitest'
import { shareTitle } from './delete-share-dialog.js'

it('a share without a title still has a label and a link', () => {
  expect(shareTitle({ title: 'Team' })).toBe('Team')
  expect(shareTitle({ title: '' })).toBe('Expired share')
})

import { expect, it } from 'vitest'
import { findHeadings } from './find-headings.js'
import { testAssets } from './testing/test-assets.js'

const found = (search: string): readonly string[] =>
  findHeadings(testAssets.guides, search).map(({ guide, heading }) => `${guide.name}#${heading?.id ?? ''}`)

it.each([
  ['expire a share', 'using-the-api#expire-a-share'],
  ['How do I expire shares?', 'using-the-api#expire-a-share'],
  ['github actions', 'ci#github-actions'],
  ['NGINX', 'reverse-proxy#nginx'],
  ['rotate keys', 'using-the-api#rotate-a-key'],
  ['backup', 'backup#'],
  ['forks', 'ci#pull-requests-from-forks'],
  ['github forks', 'ci#pull-requests-from-forks'],
])('someone who asks “%s” finds %s first', (search, first) => {
  expect(found(search)[0]).toBe(first)
})

it('headings with all words come alone, and words of headings above count', () => {
  expect(found('recipes github')).toEqual(['recipes#github-actions'])
})

it.each(['', '?', 'a', 'xyzzy'])('nothing is found for “%s”', (search) => {
  expect(found(search)).toEqual([])
})

import { expect, it } from 'vitest'
import { mayBeShare, parseReference } from './find-side.js'

const id = 'AbCdEfGhIjKlMnOpQrStUv'

it.each([
  [id, { kind: 'snippet', name: id, revision: null }],
  [`${id}@12`, { kind: 'snippet', name: id, revision: 12 }],
  [`${id}~12`, { kind: 'snippet', name: id, revision: 12 }],
  [' @nightly ', { kind: 'snippet', name: '@nightly', revision: null }],
  ['@nightly@3', { kind: 'snippet', name: '@nightly', revision: 3 }],
  ['nightly.v2~3', { kind: 'snippet', name: '@nightly.v2', revision: 3 }],
  [`/s/${id}`, { kind: 'share', id }],
  [`https://shares.example/s/${id}?view=tree#/a`, { kind: 'share', id }],
])('%s names one thing', (typed, reference) => {
  expect(parseReference(typed)).toEqual(reference)
})

it.each(['', '  ', '@', 'Not a name', `${id}@0`, `${id}~x`, '../keys', 'https://example.com/'])(
  '“%s” names nothing',
  (typed) => {
    expect(parseReference(typed)).toBeNull()
  },
)

it('an id alone may be that of a share, a name or a revision not', () => {
  const may = (typed: string): boolean => {
    const reference = parseReference(typed)
    return reference !== null && mayBeShare(reference)
  }
  expect([id, '@nightly', `${id}@1`, `/s/${id}`].map(may)).toEqual([true, false, false, false])
})

import { expect, it } from 'vitest'
import { stepOfKey } from './change-steps.js'
import { engineOptions, parseOptions, readPointers, withOptions } from './compare-options.js'
import { shareIdOf } from './share-reference.js'

it('the address keeps options, and everything else that it had', () => {
  const chosen = { key: 'id', numbers: 'value', order: true, ignore: ['/a', '/b~1c'] } as const
  const query = withOptions(new URLSearchParams('a=1&b=2&key=old'), chosen)
  expect(query.toString()).toBe('a=1&b=2&key=id&numbers=value&order=true&ignore=%2Fa&ignore=%2Fb%7E1c')
  expect(parseOptions(query)).toEqual(chosen)
  const plain = parseOptions(new URLSearchParams('numbers=nonsense&order=1'))
  expect(plain).toEqual({ key: '', numbers: 'exact', order: false, ignore: [] })
  expect(withOptions(query, plain).toString()).toBe('a=1&b=2')
  expect(engineOptions(plain)).toEqual({ numbers: 'exact', order: false, ignore: [] })
})

it('pointers are read line by line, and a name alone is that of a member', () => {
  expect(readPointers(' /a/*/b \n\nupdated_at\n')).toEqual(['/a/*/b', '/updated_at'])
})

it('a share is known by its id and by any link to it', () => {
  const id = 'AbCdEfGhIjKlMnOpQrStUv'
  for (const typed of [id, ` https://snip.example/s/${id}?x=1#/a `, `/s/${id}/compare/${id}`])
    expect(shareIdOf(typed), typed).toBe(id)
  for (const typed of ['', 'https://snip.example/s/short', `${id}x`, `https://x.example/${id}`])
    expect(shareIdOf(typed), typed).toBeNull()
})

it('keys go to the next change and the one before, not while someone types or holds another key', () => {
  const key = (name: string, isTyping = false, ctrlKey = false) =>
    stepOfKey({ key: name, ctrlKey, metaKey: false, altKey: false }, isTyping)
  expect(['n', 'j', 'p', 'k', 'x', 'constructor'].map((name) => key(name))).toEqual([
    1,
    1,
    -1,
    -1,
    null,
    null,
  ])
  expect([key('n', true), key('n', false, true)]).toEqual([null, null])
})

import { expect, it } from 'vitest'
import { stepOfKey } from './change-steps.js'
import { engineOptions, isAnyChosen, parseOptions, readPointers, withOptions } from './compare-options.js'
import { shareIdOf } from './share-reference.js'

it('the address keeps options, and everything else that it had', () => {
  const chosen = {
    key: 'id',
    numbers: 'value',
    order: true,
    ignore: ['/a', '/b~1c'],
    quotes: 'lenient',
    comment: '#',
    skip: 3,
    encoding: 'windows-1252',
  } as const
  const query = withOptions(new URLSearchParams('a=1&b=2&key=old&skip=9'), chosen)
  expect(query.toString()).toBe(
    'a=1&b=2&key=id&numbers=value&quotes=lenient&comment=%23&skip=3&encoding=windows-1252&order=true&ignore=%2Fa&ignore=%2Fb%7E1c',
  )
  expect(parseOptions(query)).toEqual(chosen)
  const nonsense = 'numbers=nonsense&order=1&quotes=x&comment=ab&skip=-1&encoding=utf-7'
  const plain = parseOptions(new URLSearchParams(nonsense))
  expect(plain).toEqual(parseOptions(new URLSearchParams()))
  expect([isAnyChosen(plain), isAnyChosen(chosen)]).toEqual([false, true])
  expect(withOptions(query, plain).toString()).toBe('a=1&b=2')
  expect(engineOptions(plain)).toEqual({
    numbers: 'exact',
    order: false,
    ignore: [],
    quotes: 'strict',
    comment: '',
    skip: 0,
  })
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

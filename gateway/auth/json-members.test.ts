import { expect, it } from 'vitest'
import { parseJsonMembers } from './json-members.js'

const members = (text: string): [string, unknown][] => [...parseJsonMembers(Buffer.from(text))]

it('the members of an object are read by name', () => {
  expect(members('{"a":1,"b":{"a":[{"a":2}]},"c":"\\":{\\\\"}')).toEqual([
    ['a', 1],
    ['b', { a: [{ a: 2 }] }],
    ['c', '":{\\'],
  ])
})

it('an empty object has none', () => {
  expect(members(' {} ')).toEqual([])
})

it('a member called __proto__ is a member like others and changes no object', () => {
  expect(members('{"__proto__":{"polluted":true}}')).toEqual([['__proto__', { polluted: true }]])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

it.each(['{"a":1,"a":1}', '{"a":1,"b":2,"\\u0061":3}', '{"__proto__":1,"__proto__":2}'])(
  'a name that comes twice is refused: %s',
  (text) => {
    expect(() => members(text)).toThrow('twice')
  },
)

it.each(['', 'null', '[]', '"a"', '1', '{', '{"a":1}x', "{'a':1}", '\ufeff{}'])(
  'this is no object: %j',
  (text) => {
    expect(() => members(text)).toThrow()
  },
)

it('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJsonMembers(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow()
})

it('a value nested a hundred thousand deep is read without harm', () => {
  const depth = 100_000
  expect(members(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toHaveLength(1)
})

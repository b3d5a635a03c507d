import { expect, it } from 'vitest'
import { lastWord as lastWordOfServer, titled } from '../../gateway/features/schemas.js'
import { checkAt, lastWord, shareAt, sharePath, snippetPath, titleFor, versionOf } from './references.js'

it('a snippet is named by its id or @name, and a version by its number', () => {
  expect(snippetPath('a/b')).toBe('/api/snippets/a%2Fb')
  expect(snippetPath('@team')).toBe('/api/snippets/@team')
  expect(snippetPath('@team', 3)).toBe('/api/snippets/@team/revisions/3')
  expect(sharePath('a?b')).toBe('/api/shares/a%3Fb')
})

it.each([
  ['@team@3', { id: '@team', version: 3 }],
  ['abc~12', { id: 'abc', version: 12 }],
  ['@team', null],
  ['abc@0', null],
  ['abc@x', null],
])('the version in %s', (text, found) => {
  expect(versionOf(text)).toEqual(found)
})

it.each([
  ['https://s.example/s/abc', { server: 'https://s.example', id: 'abc' }],
  ['https://s.example/base/s/abc?x#y', { server: 'https://s.example/base', id: 'abc' }],
  ['https://s.example/tools', null],
  ['https://', null],
  ['s.example/s/abc', null],
])('the share in %s', (text, found) => {
  expect(shareAt(text)).toEqual(found)
})

it('the page of a check names its server and its id', () => {
  expect(checkAt('https://s.example/base/checks/abc')).toEqual({
    server: 'https://s.example/base',
    id: 'abc',
  })
  expect(checkAt('https://s.example/s/abc')).toBeNull()
})

it.each(['csv', 'to-csv', 'a.b_c', 'trailing-', '-', ''])(
  'text of the tool "%s" is named as on the server',
  (tool) => {
    expect(lastWord(tool)).toBe(lastWordOfServer(tool))
    expect(titleFor(tool)).toBe(titled({ tool, title: '' }).title)
  },
)

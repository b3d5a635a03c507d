import { expect, it } from 'vitest'
import { textLanguage } from './text-language.js'

it.each([
  ['SELECT a,\n  b\nFROM t'],
  ['-- who was here\n/* and\n when */ insert into t values (1)'],
  ['create or replace view v as select 1'],
  ['WITH recent AS (\n SELECT 1)'],
])('%j is SQL', (head) => {
  expect(textLanguage({ kind: 'text', singleKey: 'output' }, head)).toBe('sql')
})

it.each(['Select the one you like.', 'with kind regards', '--- a\n+++ b', 'Update: it works'])(
  '%j is plain text, unless its key says otherwise',
  (head) => {
    expect(textLanguage({ kind: 'text', singleKey: 'output' }, head)).toBe('plain')
    expect(textLanguage({ kind: 'text', singleKey: 'SQL' }, head)).toBe('sql')
  },
)

it('what is not a lone text goes by its kind', () => {
  expect(textLanguage({ kind: 'json', singleKey: null }, 'select 1 from t')).toBe('json')
  expect(textLanguage({ kind: 'csv', singleKey: 'sql' }, 'select,from')).toBe('plain')
})

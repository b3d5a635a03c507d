import { expect, it } from 'vitest'
import { acceptedLanguage, pageLanguageOf } from './page-language.js'

it.each([
  ['de', 'de'],
  ['de-CH', 'de'],
  ['DE-ch-1996', 'de'],
  ['de-CH, en', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['fr-FR, fr;q=0.9, de;q=0.3', 'de'],
  ['en;q=0.2, de;q=0.7', 'de'],
  ['de ; q=1.000 , en ; q=0.5', 'de'],
  ['fr', 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['*, de;q=0.5', 'de'],
  ['en;q=0, *', 'de'],
  ['en;q=0, *;q=0', 'en'],
  ['de;q=0, de-CH', 'en'],
  ['de;q=0', 'en'],
  ['deu', 'en'],
])('Accept-Language: %s asks for %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})

it.each(['de;q=2', 'de;q=', 'de;level=1', 'd\u00e9', '-de', 'de-', ';q=1', 'de_DE', '"de"', 'de;q=0.1234'])(
  'a malformed range counts for nothing: %s',
  (range) => {
    expect(acceptedLanguage(range)).toBe('en')
    expect(acceptedLanguage(`${range}, en;q=0.1, de;q=0.2`)).toBe('de')
  },
)

it('a header of any length is read in no time', () => {
  expect(acceptedLanguage(`${'x-'.repeat(50_000)},de`)).toBe('de')
  expect(acceptedLanguage(`${'fr,'.repeat(50_000)}de`)).toBe('en')
})

it('what the reader has chosen counts more than what the browser asks for, if it is a language of the pages', () => {
  expect(pageLanguageOf('en', 'de')).toBe('en')
  expect(pageLanguageOf('xx', 'de')).toBe('de')
  expect(pageLanguageOf('', undefined)).toBe('en')
})

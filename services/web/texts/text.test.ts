import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { optionFields } from '#engine/tools/option-fields.js'
import { findTool, tools } from '#engine/tools/registry.js'
import { pageLanguages } from '#shared/core/page-language.js'
import { namedIn } from '../browser/build/used-texts.js'
import { en } from './en.js'
import { catalogues } from './languages.js'
import type { Message, Messages, Translation } from './message.js'
import { speaking } from './speech.js'
import { readableDuration, readableMoment, readableSize, text } from './text.js'
import { optionText, optionTranslations } from './tool-options.js'
import { toolText, toolTranslations } from './tool-pages.js'

it('a message has its values filled in, with localised numbers', () => {
  expect(text('loading.progress', { received: '1.5 MB', total: 12_345 })).toBe('1.5 MB of 12,345')
})

it('values are never parsed as messages', () => {
  expect(text('loading.progress', { received: '{total}', total: '$&' })).toBe('{total} of $&')
})

it('both forms of a counted message name the same values', () => {
  const placesOf = (form: string): readonly string[] => [...form.matchAll(/\{\w+\}/g)].map(String).sort()
  const messages: readonly Message[] = Object.values(en)
  const counted = messages.filter((message) => typeof message !== 'string')
  for (const { one = '', other } of counted)
    expect(placesOf(other).filter((place) => place !== '{count}')).toEqual(
      placesOf(one).filter((place) => place !== '{count}'),
    )
})

it('future times use the largest complete unit', () => {
  expect([500, 59_999, 60_000, 7_200_000, 86_400_000, 30 * 86_400_000 - 1].map(readableDuration)).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
    '29 days',
  ])
})

it('every message is shown somewhere', () => {
  const web = join(import.meta.dirname, '..')
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|texts\/[a-z]{2}[./]/.test(path),
  )
  const isNamed = namedIn(sources.map((path) => readFileSync(join(web, path), 'utf8')).join('\n'))
  expect(Object.keys(en).filter((name) => !isNamed(name))).toEqual([])
})

const placesOf = (form: string): string =>
  [...new Set([...form.matchAll(/\{\w+\}/g)].map(String))].sort().join(' ')
const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)

/**
 * The texts of a translation whose placeholders are not those of the source. A form for one thing may leave out the
 * count.
 */
function faultsOf(source: Messages, translation: Messages): readonly string[] {
  return Object.entries(source).flatMap(([name, message]) => {
    const wanted = placesOf(typeof message === 'string' ? message : message.other)
    const isCounted = typeof message !== 'string'
    const isRight = (form: string): boolean =>
      placesOf(form) === wanted || (isCounted && placesOf(`${form}{count}`) === placesOf(`${wanted}{count}`))
    return formsOf(translation[name] ?? '').every(isRight) ? [] : [name]
  })
}

it.each(Object.entries(catalogues))(
  '%s has every text, none besides, and the placeholders of each',
  (_language, catalogue) => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort())
    expect(faultsOf(en, catalogue)).toEqual([])
  },
)

it('a translation that loses, adds or misspells a placeholder is found', () => {
  const source = { plain: 'a {b}', counted: { one: 'one {b}', other: '{count} {b}' } }
  expect(faultsOf(source, { plain: 'b', counted: { one: '{b}', other: '{count} {b}' } })).toEqual(['plain'])
  expect(faultsOf(source, { plain: '{b}', counted: { other: '{count} {c}' } })).toEqual(['counted'])
  expect(faultsOf(source, { plain: '{b} {c}', counted: '{count} {b}' })).toEqual(['plain'])
  expect(faultsOf(source, { plain: '{b}', counted: '{count} {b}' })).toEqual([])
})

it('a translation that lacks a text, or has one too many, does not compile', () => {
  const source = { 'a.b': 'b', 'a.c': 'c' } as const
  // @ts-expect-error: `a.c` is missing.
  const short: Translation<typeof source> = { 'a.b': 'B' }
  // @ts-expect-error: there is no `a.d`.
  const long: Translation<typeof source> = { 'a.b': 'B', 'a.c': 'C', 'a.d': 'D' }
  expect([short, long]).toHaveLength(2)
})

it.each(Object.entries(catalogues))(
  '%s has the plural forms that its language tells apart',
  (language, catalogue) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const known = new Set<string>([...pluralCategories, 'other'])
    const counted = Object.values<Message>(catalogue).filter((message) => typeof message !== 'string')
    for (const message of counted) expect(Object.keys(message).filter((form) => !known.has(form))).toEqual([])
  },
)

it('what is approved in German is not called by the word for shares', () => {
  const approvals = Object.entries<Message>(catalogues.de).filter(([name]) =>
    /^(contract|check)\.|^event\.check\.|approv/.test(name),
  )
  expect(approvals.length).toBeGreaterThan(60)
  const called = approvals.filter(([, message]) => /freig[ae]b/i.test(formsOf(message).join(' ')))
  expect(called.map(([name]) => name)).toEqual([])
})

it('in another language texts, plural forms, numbers, sizes and times follow its rules', () => {
  const moment = new Date('2030-01-31T12:00:00Z')
  const shown = () => [
    text('tools.found', { count: 1 }),
    text('tools.found', { count: 1_234 }),
    readableDuration(7_200_000),
    readableSize(1_500_000),
    readableSize(512),
    readableMoment(moment),
  ]
  expect(speaking('de', shown)).toEqual([
    '1 Werkzeug',
    '1.234 Werkzeuge',
    '2 Stunden',
    '1,5 MB',
    '512 Byte',
    '31.01.2030, 12:00 UTC',
  ])
  expect(shown()).toEqual(['1 tool', '1,234 tools', '2 hours', '1.5 MB', '512 bytes', '2030-01-31 12:00 UTC'])
})

it('requests that are served at the same time do not mix their languages', async () => {
  const later = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return text('share.download')
  }
  expect(await Promise.all([speaking('de', later), later(), speaking('en', later)])).toEqual([
    'Herunterladen',
    'Download',
    'Download',
  ])
})

it('each language says what every tool does, and nothing of others', () => {
  const names = tools.map(({ name }) => name).sort()
  for (const language of pageLanguages.filter((code) => code !== 'en'))
    expect(Object.keys(toolTranslations[language] ?? {}).sort(), language).toEqual(names)
})

it('each language says what every option of a tool is called and means, and nothing of others', () => {
  const fields = tools.flatMap(optionFields)
  const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort()
  for (const language of pageLanguages.filter((code) => code !== 'en')) {
    const { labels = {}, meanings = {} } = optionTranslations[language] ?? {}
    expect(Object.keys(labels).sort(), language).toEqual(unique(fields.map(({ name }) => name)))
    expect(Object.keys(meanings).sort(), language).toEqual(
      unique(fields.map(({ description }) => description)),
    )
    for (const [english, translated] of Object.entries(meanings))
      expect(translated, language).not.toBe(english)
  }
})

it('no two options of a tool are called the same', () => {
  for (const language of pageLanguages)
    for (const tool of tools) {
      const labels = speaking(language, () => optionFields(tool).map((field) => optionText(field).label))
      expect(new Set(labels).size, `${language} ${tool.name}`).toBe(labels.length)
    }
})

it('a tool is found by its English words in every language', () => {
  const tool = findTool('json-format')
  if (tool === null) throw new Error('there is no json-format')
  expect(speaking('de', () => toolText(tool))).toMatchObject({ name: 'JSON formatieren' })
  expect(speaking('de', () => toolText(tool).words)).toContain('Format JSON')
  expect(toolText(tool)).toMatchObject({ name: 'Format JSON', title: 'JSON formatter and beautifier' })
})

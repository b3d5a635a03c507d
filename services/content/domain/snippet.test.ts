import { describe, expect, it } from 'vitest'
import type { DomainError } from '#libs/core/domain-error.js'
import { checkFields, normaliseTags } from './snippet.js'

/** The problems, each as `pointer code`. */
function problems(fields: Parameters<typeof checkFields>[0]): string[] {
  try {
    checkFields(fields)
    return []
  } catch (error) {
    const { errors } = (error as DomainError).details
    return Array.isArray(errors) ? errors.map(({ pointer, code }) => `${pointer} ${code}`) : ['no list']
  }
}

describe('fields', () => {
  it('may be as long as their limits, counted in characters and not in UTF-16 units', () => {
    expect(
      problems({
        tool: 'a',
        title: '😀'.repeat(200),
        tags: Array.from({ length: 20 }, (_, n) => `tag ${n}`),
      }),
    ).toEqual([])
    expect(problems({ tool: `9${'._-Z'.repeat(15)}abc`, title: ' x ', tags: ['😀'.repeat(50)] })).toEqual([])
    expect(problems({})).toEqual([])
  })

  it.each(['', '-a', '.a', '_a', 'a b', 'ä', 'a'.repeat(65), 'a\n', 'a/b', 'a\u0000'])(
    'refuse the tool %j',
    (tool) => {
      expect(problems({ tool })).toEqual(['/tool invalid_format'])
    },
  )

  it.each([
    ['', 'too_short'],
    [' \u00a0\u3000', 'too_short'],
    ['x'.repeat(201), 'too_long'],
    ['😀'.repeat(201), 'too_long'],
    ['a\u0000b', 'invalid_characters'],
    ['a\tb', 'invalid_characters'],
    ['a\u001fb', 'invalid_characters'],
    ['a\u007fb', 'invalid_characters'],
    ['a\ud800', 'invalid_characters'],
    ['\udc00a', 'invalid_characters'],
  ])('refuse the title %j', (title, code) => {
    expect(problems({ title })).toEqual([`/title ${code}`])
  })

  it('report every problem at once, each with its pointer', () => {
    const tags = ['fine', '', 'y'.repeat(51), 'a\u0000', ...Array.from({ length: 17 }, (_, n) => `t${n}`)]
    expect(problems({ tool: '', title: '\u0000'.repeat(201), tags })).toEqual([
      '/tool invalid_format',
      '/title too_long',
      '/title invalid_characters',
      '/tags too_many',
      '/tags/1 too_short',
      '/tags/2 too_long',
      '/tags/3 invalid_characters',
    ])
  })
})

describe('tags', () => {
  it('are trimmed, lose their duplicates and keep their order', () => {
    expect(normaliseTags([' b', 'a', 'b ', 'B', 'a'])).toEqual(['b', 'a', 'B'])
  })

  it('are counted without duplicates', () => {
    const tags = normaliseTags(Array.from({ length: 40 }, (_, n) => `tag ${n % 20}`))
    expect(problems({ tags })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { DomainError, type FieldError } from '#libs/core/domain-error.js'
import { rawQuery } from '../features/raw-reads.js'
import * as schemas from '../features/schemas.js'
import { newShare } from '../features/shares/share-schemas.js'
import { checkParameters, parseBodyFields, parseQuery } from './parse-fields.js'

function refusal(work: () => unknown): { code: string; errors: readonly FieldError[] } {
  try {
    work()
  } catch (error) {
    if (error instanceof DomainError)
      return { code: error.code, errors: error.details.errors as readonly FieldError[] }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the fields of a body', () => {
  it('are returned checked, with tags trimmed and deduplicated in order', () => {
    const fields = parseBodyFields(
      schemas.newSnippet,
      { tool: 'csv', title: 'T', tags: [' b ', 'a', 'b'] },
      [],
    )
    expect(fields).toEqual({ tool: 'csv', title: 'T', tags: ['b', 'a'] })
  })

  it('are rejected with at most a hundred problems, and very long lists without being checked', () => {
    const errorsOf = (tags: readonly unknown[]) =>
      refusal(() => parseBodyFields(schemas.newSnippet, { tool: 'csv', title: 'T', tags }, [])).errors
    expect(errorsOf(Array.from({ length: 900 }, () => 0))).toHaveLength(100)
    expect(errorsOf(Array.from({ length: 32_000 }, () => 0))).toMatchObject([
      { pointer: '/tags', code: 'too_many' },
    ])
    const many = Array.from({ length: 3_000 }, (_, n): [string, string] => [`limit[${n}`, '1'])
    const search = new URLSearchParams(many)
    expect(refusal(() => checkParameters({}, search)).errors).toHaveLength(100)
  })

  it('are rejected with every problem and its location', () => {
    const { code, errors } = refusal(() =>
      parseBodyFields(schemas.newSnippet, { tool: '-x', title: '', tags: ['ok', 'x'.repeat(51), 3] }, []),
    )
    expect(code).toBe('validation_failed')
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/tool', 'invalid_format'],
      ['/title', 'too_short'],
      ['/tags/1', 'too_long'],
      ['/tags/2', 'invalid_type'],
    ])
    for (const { detail } of errors) expect(detail).toMatch(/^[a-z0-9/_]+ .+\.$/)
  })

  it('that are missing are named as required', () => {
    const { errors } = refusal(() => parseBodyFields(schemas.newSnippet, {}, []))
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/tool', 'required'],
      ['/title', 'required'],
    ])
  })

  it('that are unknown give unknown_field, beside all other problems', () => {
    const unknown = {
      pointer: '/expires',
      code: 'unknown_field',
      detail: 'expires is not a field of this request.',
    }
    const { code, errors } = refusal(() => parseBodyFields(newShare, { tool: 'csv' }, [unknown]))
    expect(code).toBe('unknown_field')
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/expires', '/title'])
  })

  it('count characters, not UTF-16 units, and reject controls and lone surrogates', () => {
    const title = '😀'.repeat(200)
    expect(parseBodyFields(schemas.newSnippet, { tool: 'a', title }, []).title).toBe(title)
    for (const bad of ['a\u0000b', 'a\nb', '\ud800', '   ', '😀'.repeat(201)]) {
      expect(
        () => parseBodyFields(schemas.newSnippet, { tool: 'a', title: bad }, []),
        JSON.stringify(bad),
      ).toThrow(DomainError)
    }
  })

  it('have at most one expiry, of at least a minute', () => {
    const share = { tool: 'a', title: 'b' }
    expect(parseBodyFields(newShare, { ...share, expires_in: 60 }, []).expires_in).toBe(60)
    for (const bad of [
      { expires_in: 59 },
      { expires_in: 60.5 },
      { expires_in: '60' },
      { expires_at: 'tomorrow' },
    ]) {
      expect(() => parseBodyFields(newShare, { ...share, ...bad }, []), JSON.stringify(bad)).toThrow(
        DomainError,
      )
    }
    expect(() =>
      parseBodyFields(newShare, { ...share, expires_in: 60, expires_at: '2030-01-01T00:00:00Z' }, []),
    ).toThrow(DomainError)
  })
})

describe('limit', () => {
  const limitOf = (query: string): number =>
    parseQuery(schemas.snippetListQuery, new URLSearchParams(query)).limit

  it('defaults to 20, and is capped at 100', () => {
    expect(limitOf('')).toBe(20)
    expect(limitOf('limit=1')).toBe(1)
    for (const above of ['101', '2147483648', '9007199254740993', '9'.repeat(400)])
      expect(limitOf(`limit=${above}`)).toBe(100)
  })

  it('is rejected unless it is a plain whole number of at least 1', () => {
    const bad = [
      '0',
      '-1',
      '1e3',
      '0x10',
      '5.0',
      '%205',
      '+5',
      '٥',
      'Infinity',
      'NaN',
      '9e99',
      '',
      'true',
      '1,2',
      '05',
      'null',
      '[]',
      '1%00',
      '%F0%9F%98%80',
    ]
    for (const text of bad) expect(() => limitOf(`limit=${text}`), text).toThrow(DomainError)
    expect(() => limitOf('limit=1&limit=2')).toThrow(DomainError)
  })
})

describe('parameters that an operation does not declare', () => {
  const detailsOf = (query: string) =>
    refusal(() => checkParameters({ query: rawQuery }, new URLSearchParams(query))).errors.map(
      ({ pointer, detail }) => [pointer, detail],
    )

  it.each([
    ['row=1-2', 'row is not a parameter of this operation. Use pointer, rows, download.'],
    ['Rows=1-2', 'Rows is not a parameter of this operation. Use pointer, rows, download.'],
    ['rows[]=1-2', 'rows must be written without brackets.'],
    ['rows[a][b]=1-2', 'rows must be written without brackets.'],
    ['row[]=1-2', 'row[] is not a parameter of this operation. Use pointer, rows, download.'],
    ['__proto__=y', '__proto__ is not a parameter of this operation. Use pointer, rows, download.'],
  ])('are refused by name: %s', (query, detail) => {
    expect(detailsOf(query)).toEqual([[query.replace(/=.*/, ''), detail]])
  })

  it('are all named at once, each once, whatever else is wrong', () => {
    expect(detailsOf('a=1&rows=x&b=2&a=3').map(([name]) => name)).toEqual(['a', 'b'])
    expect(refusal(() => checkParameters({}, new URLSearchParams('x=1')))).toMatchObject({
      code: 'unknown_parameter',
      errors: [{ detail: 'x is not a parameter of this operation. It has none.' }],
    })
  })

  it('are left alone where the schema is just a part of the query', () => {
    expect(parseQuery(rawQuery, new URLSearchParams('api_key=x&__proto__=y'))).toEqual({ download: false })
  })
})

it('repeated tags must all match', () => {
  expect(parseQuery(schemas.snippetListQuery, new URLSearchParams('tag=a&tag=b')).tag).toEqual(['a', 'b'])
})

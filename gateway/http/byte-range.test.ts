import { describe, expect, it } from 'vitest'
import { requestedRange } from './byte-range.js'

const etag = '"v1"'
const rangeOf = (range: string, length = 10, headers: Record<string, string> = {}, method = 'GET') =>
  requestedRange({ method, headers: { range, ...headers } }, etag, length)

describe('a range of 10 bytes', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-9', 0, 10],
    ['bytes=2-4', 2, 3],
    ['bytes=5-', 5, 5],
    ['bytes=9-', 9, 1],
    ['bytes=-3', 7, 3],
    ['bytes=-10', 0, 10],
    ['bytes=-99', 0, 10],
    ['bytes=4-99', 4, 6],
    ['bytes=4-99999999999999999999999', 4, 6],
    ['Bytes= 1-2 ', 1, 2],
  ])('is %s', (range, offset, length) => expect(rangeOf(range)).toEqual({ offset, length }))

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=99999999999999999999-', 'bytes=-0'])(
    'is not satisfiable if it starts beyond the end: %s',
    (range) =>
      expect(() => rangeOf(range)).toThrow(
        expect.objectContaining({
          code: 'range_not_satisfiable',
          details: { actual: 10, content_range: 'bytes */10' },
        }),
      ),
  )

  it.each([
    'bytes=4-2',
    'bytes=0-1,3-4',
    'bytes=0-1, 99-',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1',
    'bytes 1-2',
    'items=1-2',
    'bytes=+1-2',
    'bytes=0x1-2',
  ])('is ignored if it is malformed or not a single range: %s', (range) => expect(rangeOf(range)).toBeNull())

  it('is ignored for HEAD', () => expect(rangeOf('bytes=1-2', 10, {}, 'HEAD')).toBeNull())
})

it('no range of an empty body is satisfiable', () =>
  expect(() => rangeOf('bytes=0-', 0)).toThrow('beyond the end of 0 bytes'))

describe('If-Range', () => {
  it.each([
    ['"v1"', true],
    ['"v2"', false],
    ['W/"v1"', false],
    ['v1', false],
    ['Mon, 23 Nov 2026 10:00:00 GMT', false],
  ])('%s keeps the range: %s', (header, keeps) =>
    expect(rangeOf('bytes=1-2', 10, { 'if-range': header }) !== null).toBe(keeps),
  )
})

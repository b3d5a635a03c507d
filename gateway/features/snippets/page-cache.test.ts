import { describe, expect, it } from 'vitest'
import { type CachedPage, createPageCache, etagToCompare, nextCached } from './page-cache.js'

const page = (text: string): CachedPage => ({ etag: 'v', text, nextCursor: null, hadChanged: false })

describe('the cache of pages', () => {
  it('returns the last stored page, and nothing for unknown keys', () => {
    const cache = createPageCache()
    expect(cache.get('a')).toBeUndefined()
    cache.set('a', page('one'))
    cache.set('a', page('two'))
    expect(cache.get('a')).toEqual(page('two'))
    expect(cache.get('b')).toBeUndefined()
  })

  it('stays within 16 MiB, and drops the least recently used pages', () => {
    const cache = createPageCache()
    const text = 'x'.repeat(131_072)
    for (let n = 0; n < 1_000; n += 1) {
      cache.set(`${n}`, page(text))
      cache.get('0')
    }
    const left = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => cache.get(`${n}`) !== undefined)
    expect(left.length * text.length).toBeLessThan(16 * 1_048_576)
    expect(left.length).toBeGreaterThan(100)
    expect(left[0]).toBe(0)
    expect(left.slice(1)).toEqual(Array.from({ length: left.length - 1 }, (_, n) => 1_001 - left.length + n))
  })
})

describe('a page that is requested again', () => {
  const read = (etag: string) => ({ etag, text: etag, nextCursor: null })

  it('is compared first, unless it had changed the last time', () => {
    const first = nextCached(undefined, read('a'))
    const second = nextCached(first, read('b'))
    const third = nextCached(second, read('c'))
    const same = nextCached(third, read('c'))
    expect([undefined, first, second, third, same].map(etagToCompare)).toEqual(['', 'a', '', '', 'c'])
  })
})

import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { acceptedCoding, codings, encode, encodedOnce } from './content-coding.js'

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;q=0.5, br;q=0', 'gzip'],
  ['br ; q=0.001', 'br'],
  ['br;q=0.0, gzip;q=0', null],
  ['identity', null],
  ['', null],
  [undefined, null],
])('for who accepts %j the coding is %j', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding)
})

it('what is encoded is smaller, and decodes to the same', async () => {
  const bytes = await readFile('package.json')
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const coding of codings) {
    const [once, always] = await Promise.all([encode(bytes, coding, 'once'), encode(bytes, coding, 'always')])
    for (const encoded of [once, always]) expect(decode[coding](encoded).equals(bytes)).toBe(true)
    expect(Math.max(once.length, always.length)).toBeLessThan(bytes.length / 2)
  }
})

it('what never changes is loaded and encoded once', async () => {
  let loads = 0
  const read = encodedOnce(async () => {
    loads += 1
    return Buffer.from('a'.repeat(1_000))
  })
  const [plain, first, second] = await Promise.all([read(null), read('br'), read('br')])
  expect(plain.toString()).toBe('a'.repeat(1_000))
  expect(second).toBe(first)
  expect(brotliDecompressSync(first).equals(plain)).toBe(true)
  expect(loads).toBe(1)
})
